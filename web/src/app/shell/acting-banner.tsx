import { nameOf } from '@rowmill/contract';
import { useNavigate } from 'react-router';
import { actAsAdmin } from '../../lib/acting.ts';
import { paths } from '../../lib/paths.ts';
import { useActedClient } from '../../lib/session.ts';
import * as texts from '../../texts/shell.ts';
import { buttonClass } from '../../ui/button.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import styles from './acting-banner.module.css';

/** Stays in sight on every page while an admin acts for a client. */
export function ActingBanner() {
  const client = useActedClient();
  const navigate = useNavigate();
  if (!client) return null;
  function comeBack() {
    actAsAdmin();
    void navigate(paths.clients);
  }
  return (
    <aside className={styles.banner} aria-label={texts.actingBanner}>
      <span className={`cut ${styles.who}`}>
        <RichText
          text={texts.actingAs}
          parts={{
            name: <strong>{nameOf(client)}</strong>,
            detail: <span className={styles.detail}>{texts.actingDetail(client.email)}</span>,
          }}
        />
      </span>
      <button type="button" className={`${buttonClass('ghost')} ${styles.back}`} onClick={comeBack}>
        {texts.comeBack}
      </button>
    </aside>
  );
}

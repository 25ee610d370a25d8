import { useNavigate } from 'react-router';
import { actAsAdmin } from '../lib/acting.ts';
import { paths } from '../lib/paths.ts';
import { isActingAsSelf } from '../lib/session.ts';
import { useStored } from '../lib/storage.ts';
import * as texts from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { RichText } from '../ui/rich-text.tsx';

/** On every page while an admin acts as a client: everything that is done is done for the client, so nobody may overlook it. */
export function ActingBanner() {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  const navigate = useNavigate();
  if (!switchedAs || isActingAsSelf({ user, switchedAs })) return null;
  const { first_name, last_name, email } = switchedAs;
  function comeBack() {
    actAsAdmin();
    void navigate(paths.clients);
  }
  return (
    <aside className="client-banner" aria-label={texts.actingBanner}>
      <span className="long">
        <RichText
          text={texts.actingAs}
          parts={{
            name: <strong>{`${first_name} ${last_name}`}</strong>,
            detail: <span className="client-detail">{texts.actingDetail(email)}</span>,
          }}
        />
      </span>
      <Button variant="secondary" onClick={comeBack}>
        {texts.comeBack}
      </Button>
    </aside>
  );
}

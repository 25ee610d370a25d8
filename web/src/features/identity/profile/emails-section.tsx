import { fetchUserDetail, verifyAndUpdateUserDetails } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { setQueryData } from '../../../lib/api/query.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/identity.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import styles from './profile.module.css';

export function EmailsSection({ isOn }: { isOn: boolean }) {
  const save = useMutation({
    mutationFn: (batch_emails: boolean) => call(verifyAndUpdateUserDetails, { batch_emails }),
    onSuccess: ({ message }, batch_emails) => {
      setQueryData(fetchUserDetail, {}, (account) => account && { ...account, batch_emails });
      showToast('success', message);
    },
  });
  return (
    <section className="card">
      <h2>{texts.emails}</h2>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={save.isPending ? save.variables : isOn}
          onChange={({ target }) => !save.isPending && save.mutate(target.checked)}
        />
        {texts.batchEmails}
      </label>
      <p className="muted">{texts.batchEmailsNote}</p>
      <ErrorNote error={save.error} />
    </section>
  );
}

import { verifyAndUpdateUserDetails } from '@rowmill/contract';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { showToast } from '../../../lib/toasts.ts';
import { useSubmit } from '../../../lib/use-submit.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { accountKey } from '../use-account.ts';

/** A new address takes effect when the link that goes there is opened. */
export function AddressSection({ email: present, pending }: { email: string; pending: string | null }) {
  const client = useQueryClient();
  const { onSubmit, problems, error, busy } = useSubmit({
    endpoint: verifyAndUpdateUserDetails,
    send: async ({ email = '', current_password = '' }) => {
      const { message } = await call(verifyAndUpdateUserDetails, { email, current_password });
      showToast('success', message ?? 'Saved.');
      await client.invalidateQueries({ queryKey: accountKey });
    },
  });
  return (
    <section className="card">
      <h2>E-mail address</h2>
      <p>
        You sign in with <strong>{present}</strong>.
      </p>
      {pending && <Notice>We have sent a link to {pending}. Until it is opened, your present address stays.</Notice>}
      <form className="stack" onSubmit={onSubmit} noValidate>
        {error && <Notice tone="error">{error}</Notice>}
        <TextField label="New e-mail" name="email" type="email" autoComplete="email" problem={problems.email} />
        <TextField
          label="Your password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          problem={problems.current_password}
        />
        <div>
          <Button type="submit" busy={busy} variant="secondary">
            Change the address
          </Button>
        </div>
      </form>
    </section>
  );
}

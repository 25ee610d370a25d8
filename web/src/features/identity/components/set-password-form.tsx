import { resetPassword } from '@rowmill/contract';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { paths } from '../../../lib/paths.ts';
import { useSubmit } from '../../../lib/use-submit.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { NewPasswordField } from './new-password-field.tsx';

/** Sets a password with the token that stands behind the # of the mailed link. */
export function SetPasswordForm() {
  const token = useLocation().hash.slice(1);
  const [answer, setAnswer] = useState<string | null>(null);
  const { onSubmit, problems, error, busy } = useSubmit({
    endpoint: resetPassword,
    send: async ({ password = '' }) =>
      setAnswer((await call(resetPassword, { token, password })).message ?? 'Your new password is set.'),
  });
  if (answer) {
    return (
      <Notice tone="success">
        {answer} <Link to={paths.login}>Sign in</Link>
      </Notice>
    );
  }
  return (
    <form className="stack" onSubmit={onSubmit} noValidate>
      {error && (
        <Notice tone="error">
          {error} <Link to={paths.reset}>Ask for a new link</Link>
        </Notice>
      )}
      <NewPasswordField label="New password" problem={problems.password} />
      <Button type="submit" busy={busy}>
        Set the password
      </Button>
    </form>
  );
}

import { changePassword } from '@rowmill/contract';
import { useState } from 'react';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { CurrentPasswordField } from './current-password-field.tsx';
import { NewPasswordField } from './new-password-field.tsx';

export function ChangePasswordPage() {
  const [times, setTimes] = useState(0);
  const { onSubmit, problems, error, busy } = useForm(
    async ({ current_password = '', password = '' }, send) => {
      const { message } = await send(changePassword, { current_password, password });
      showToast('success', message ?? texts.passwordChanged);
      setTimes(times + 1);
    },
  );
  return (
    <section className="card form-page">
      <p>{texts.signsOutOthers}</p>
      <form key={times} className="stack" onSubmit={onSubmit} noValidate>
        {error && <Notice tone="error">{error}</Notice>}
        <CurrentPasswordField label={texts.currentPassword} problem={problems.current_password} />
        <NewPasswordField label={texts.newPassword} problem={problems.password} />
        <div>
          <Button type="submit" busy={busy}>
            {texts.changePassword}
          </Button>
        </div>
      </form>
    </section>
  );
}

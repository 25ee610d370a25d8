import { changePassword, nameOf } from '@rowmill/contract';
import { useState } from 'react';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { useActedClient } from '../../../lib/session.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { ProfileFrame } from '../profile/profile-frame.tsx';
import { CurrentPasswordField } from './current-password-field.tsx';
import { NewPasswordField } from './new-password-field.tsx';

export function ChangePasswordPage() {
  const client = useActedClient();
  const [times, setTimes] = useState(0);
  const form = useForm(async ({ current_password = '', password = '' }, send) => {
    const { message } = await send(changePassword, { current_password, password });
    setTimes(times + 1);
    return message;
  });
  return (
    <ProfileFrame>
      {client ? (
        <Notice tone="warning">
          <RichText text={texts.notTheirPassword} parts={{ client: nameOf(client) }} />
        </Notice>
      ) : (
        <section className="card">
          <p>{texts.signsOutOthers}</p>
          <Form form={form} key={times}>
            <CurrentPasswordField label={texts.currentPassword} />
            <NewPasswordField label={texts.newPassword} />
            <div>
              <Button type="submit">{texts.changePassword}</Button>
            </div>
          </Form>
        </section>
      )}
    </ProfileFrame>
  );
}

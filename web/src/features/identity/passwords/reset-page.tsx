import { sendResetLinkEmail } from '@rowmill/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { useTitle } from '../../../lib/hooks/use-title.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { SentNotice } from '../sent-notice.tsx';

export function ResetPage() {
  useTitle(texts.setNewPassword);
  const [answer, setAnswer] = useState<string | null>(null);
  const form = useForm(async ({ email = '' }, send) => {
    setAnswer((await send(sendResetLinkEmail, { email })).message ?? '');
  });
  return (
    <div className="narrow stack-wide">
      <h1>{texts.setNewPassword}</h1>
      {answer && <SentNotice answer={answer} />}
      <Form form={form}>
        <TextField label={texts.email} name="email" type="email" autoComplete="username" />
        <Button type="submit">{texts.sendMeLink}</Button>
      </Form>
      <Link to={paths.login}>{texts.backToSignIn}</Link>
    </div>
  );
}

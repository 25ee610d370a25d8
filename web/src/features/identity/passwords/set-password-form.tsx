import { type RefusalCode, resetPassword } from '@rowmill/contract';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { refusalCode } from '../../../lib/api/refusal.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { NewPasswordField } from './new-password-field.tsx';

/** With these codes the link never works again. */
const deadLink: readonly (RefusalCode | null)[] = ['link_invalid', 'link_expired', 'link_used'];

interface Props {
  /** How to get another link. */
  remedy: ReactNode;
  /** Shown until the password is set. */
  note?: ReactNode;
}

/** Sets a password with the token after the # of an email link. Another link gets a new form. */
export function SetPasswordForm(props: Props) {
  const token = useLocation().hash.slice(1);
  return <FormOfLink key={token} token={token} {...props} />;
}

function FormOfLink({ token, remedy, note }: Props & { token: string }) {
  const [answer, setAnswer] = useState<string | null>(null);
  const [isDead, setDead] = useState(false);
  const form = useForm(async ({ password = '' }, send) => {
    try {
      setAnswer((await send(resetPassword, { token, password })).message ?? texts.passwordSet);
    } catch (failure) {
      setDead(deadLink.includes(refusalCode(failure)));
      throw failure;
    }
  });
  // Another password would be refused too.
  if (token === '' || isDead) {
    return (
      <Notice tone="error">
        {token === '' ? texts.linkIncomplete : form.error} {remedy}
      </Notice>
    );
  }
  if (answer) {
    return (
      <Notice tone="success">
        {answer} <Link to={paths.login}>{texts.signIn}</Link>
      </Notice>
    );
  }
  return (
    <Form form={form}>
      {note && <p>{note}</p>}
      <NewPasswordField label={texts.newPassword} />
      <Button type="submit">{texts.setPassword}</Button>
    </Form>
  );
}

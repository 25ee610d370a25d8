import { registerUser } from '@rowmill/contract';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useForm } from '../../lib/hooks/use-form.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { paths } from '../../lib/paths.ts';
import { settings } from '../../lib/settings.ts';
import { storage } from '../../lib/storage.ts';
import * as texts from '../../texts/identity.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Entrance } from './entrance.tsx';
import { NewPasswordField } from './passwords/new-password-field.tsx';
import { ResendButton } from './resend-button.tsx';

export function RegisterPage() {
  useTitle(texts.register);
  const [registered, setRegistered] = useState<string | null>(null);
  const form = useForm(
    async ({ first_name = '', last_name = '', email = '', phone = '', password = '' }, send) => {
      const selectedPlan = storage.read('selectedPlan');
      await send(registerUser, { first_name, last_name, email, phone, password, selectedPlan });
      setRegistered(email);
    },
  );
  if (registered) return <CheckInbox email={registered} />;
  return (
    <Entrance title={texts.register} tab="register">
      <Form form={form}>
        <div className="grid-2">
          <TextField label={texts.firstName} name="first_name" autoComplete="given-name" />
          <TextField label={texts.lastName} name="last_name" autoComplete="family-name" />
        </div>
        <TextField label={texts.email} name="email" type="email" autoComplete="username" />
        <TextField label={texts.optionalPhone} name="phone" type="tel" autoComplete="tel" />
        <NewPasswordField />
        <Button type="submit">{texts.createAccount}</Button>
      </Form>
    </Entrance>
  );
}

/** After registering: where the link went and how to get another. The form took the focus away. */
function CheckInbox({ email }: { email: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="narrow stack">
      <h1 ref={heading} tabIndex={-1}>
        {texts.checkInbox}
      </h1>
      <p>
        <RichText
          text={texts.linkSentTo}
          parts={{ email: <strong className="long">{email}</strong> }}
        />
      </p>
      <div className="row">
        <ResendButton email={email} />
      </div>
      <Link to={paths.login}>{texts.goToSignIn}</Link>
      {settings().demo && <a href="/dev/mail">{texts.emailsInOutbox}</a>}
    </div>
  );
}

import { resendLink } from '@rowmill/contract';
import { useState } from 'react';
import { useForm } from '../../lib/hooks/use-form.ts';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/identity.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { ResendButton } from './resend-button.tsx';
import { SentNotice } from './sent-notice.tsx';

/** Sends another verification link: to the waiting person, or to a typed address. */
export function SendNewLink() {
  const user = useStored('currentUser');
  if (!user || user.email_verified_at) return <AddressForm />;
  return (
    <>
      <p>
        <RichText
          text={texts.newLinkWouldGo}
          parts={{ email: <strong className="long">{user.email}</strong> }}
        />
      </p>
      <div className="row">
        <ResendButton email={user.email} />
      </div>
    </>
  );
}

function AddressForm() {
  const [answer, setAnswer] = useState<string | null>(null);
  const form = useForm(async ({ email = '' }, send) => {
    setAnswer((await send(resendLink, { email })).message ?? texts.newLinkSent);
  });
  return (
    <Form form={form}>
      {answer && <SentNotice answer={answer} />}
      <TextField label={texts.yourEmail} name="email" type="email" autoComplete="email" />
      <Button type="submit">{texts.sendNewLink}</Button>
    </Form>
  );
}

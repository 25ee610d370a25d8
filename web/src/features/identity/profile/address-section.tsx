import { verifyAndUpdateUserDetails } from '@rowmill/contract';
import { useRef } from 'react';
import { useForm } from '../../../lib/hooks/use-form.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { CurrentPasswordField } from '../passwords/current-password-field.tsx';
import { storeAccount } from '../store-account.ts';
import { PendingAddress } from './pending-address.tsx';

/** A new address takes effect when its link is opened. */
export function AddressSection({
  email: present,
  pending,
}: {
  email: string;
  pending: string | null;
}) {
  const element = useRef<HTMLFormElement>(null);
  const form = useForm(async ({ email = '', current_password = '' }, send) => {
    const answer = await send(verifyAndUpdateUserDetails, { email, current_password });
    storeAccount(answer);
    element.current?.reset();
    return answer.message;
  });
  return (
    <section className="card">
      <h2>{texts.emailAddress}</h2>
      <p>
        <RichText
          text={texts.youSignInWith}
          parts={{ email: <strong className="long">{present}</strong> }}
        />
      </p>
      {pending && <PendingAddress present={present} pending={pending} />}
      <Form form={form} ref={element}>
        <TextField label={texts.newEmail} name="email" type="email" autoComplete="email" />
        <CurrentPasswordField />
        <div>
          <Button type="submit" variant="secondary">
            {texts.changeAddress}
          </Button>
        </div>
      </Form>
    </section>
  );
}

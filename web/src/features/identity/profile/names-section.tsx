import { type User, verifyAndUpdateUserDetails } from '@rowmill/contract';
import { useForm } from '../../../lib/hooks/use-form.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { storeAccount } from '../store-account.ts';

export function NamesSection({ user }: { user: User }) {
  const form = useForm(async ({ first_name = '', last_name = '', phone = '' }, send) => {
    const answer = await send(verifyAndUpdateUserDetails, { first_name, last_name, phone });
    storeAccount(answer);
    return answer.message;
  });
  return (
    <section className="card">
      <h2>{texts.nameAndPhone}</h2>
      <Form form={form}>
        <div className="grid-2">
          <TextField
            label={texts.firstName}
            name="first_name"
            defaultValue={user.first_name}
            autoComplete="given-name"
          />
          <TextField
            label={texts.lastName}
            name="last_name"
            defaultValue={user.last_name}
            autoComplete="family-name"
          />
        </div>
        <TextField
          label={texts.optionalPhone}
          name="phone"
          type="tel"
          defaultValue={user.phone}
          autoComplete="tel"
        />
        <div>
          <Button type="submit">{texts.save}</Button>
        </div>
      </Form>
    </section>
  );
}

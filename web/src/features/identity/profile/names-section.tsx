import { type User, verifyAndUpdateUserDetails } from '@rowmill/contract';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { storeAccount } from '../store-account.ts';

export function NamesSection({ user }: { user: User }) {
  const { onSubmit, problems, error, busy } = useForm(
    async ({ first_name = '', last_name = '', phone = '' }, send) => {
      const answer = await send(verifyAndUpdateUserDetails, { first_name, last_name, phone });
      storeAccount(answer);
      showToast('success', answer.message ?? texts.profileSaved);
    },
  );
  return (
    <section className="card">
      <h2>{texts.nameAndPhone}</h2>
      <form className="stack" onSubmit={onSubmit} noValidate>
        {error && <Notice tone="error">{error}</Notice>}
        <div className="grid-2">
          <TextField
            label={texts.firstName}
            name="first_name"
            defaultValue={user.first_name}
            autoComplete="given-name"
            problem={problems.first_name}
          />
          <TextField
            label={texts.lastName}
            name="last_name"
            defaultValue={user.last_name}
            autoComplete="family-name"
            problem={problems.last_name}
          />
        </div>
        <TextField
          label={texts.phone}
          name="phone"
          type="tel"
          defaultValue={user.phone}
          autoComplete="tel"
          problem={problems.phone}
        />
        <div>
          <Button type="submit" busy={busy}>
            {texts.save}
          </Button>
        </div>
      </form>
    </section>
  );
}

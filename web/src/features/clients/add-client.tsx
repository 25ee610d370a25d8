import { addClient, userList } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { plansQuery } from '../../entities/plan/plans.ts';
import { formatNumber } from '../../lib/format.ts';
import { InvalidFields, useForm } from '../../lib/hooks/use-form.ts';
import { parseWholeNumber } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/clients.ts';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { NumberField, TextField } from '../../ui/form/text-field.tsx';

interface Props {
  /** The submissions that the admin can give. */
  canGive: number | null;
  onClose: () => void;
}

/** The client gets an email to set a password and appears in the list at once. */
export function AddClient({ canGive, onClose }: Props) {
  const choices = useFreePlans();
  const form = useForm(
    async (
      { credits = '', first_name = '', last_name = '', email = '', phone = '', plan = '' },
      send,
    ) => {
      const amount = credits.trim() ? parseWholeNumber(credits) : 0;
      if (canGive !== null && amount > canGive)
        throw new InvalidFields({ credits: texts.youCanGive(formatNumber(canGive)) });
      const person = {
        first_name,
        last_name,
        email,
        phone,
        plan: plan || null,
        credits: amount,
      };
      const { message } = await send(addClient, person);
      onClose();
      return message;
    },
    { changes: [userList] },
  );
  return (
    <FormDialog title={texts.addClient} form={form} submit={texts.invite} onClose={onClose}>
      <TextField label={texts.firstName} name="first_name" required />
      <TextField label={texts.lastName} name="last_name" required />
      <TextField label={texts.email} name="email" type="email" required />
      <TextField label={texts.phone} name="phone" type="tel" />
      <ChoiceField label={texts.plan} name="plan" choices={choices} defaultValue="" />
      <NumberField
        label={texts.submissionsToGive}
        name="credits"
        defaultValue="0"
        hint={canGive === null ? texts.fromYourOwn : texts.youCanGive(formatNumber(canGive))}
      />
    </FormDialog>
  );
}

/** Paid plans are bought by the client, or by the admin acting for them. */
function useFreePlans(): [id: string, name: string][] {
  const { data } = useQuery(plansQuery());
  const free = data?.plans.filter(({ price_minor }) => price_minor === 0) ?? [];
  return [['', texts.clientChooses], ...free.map(({ id, name }): [string, string] => [id, name])];
}

import {
  type ClientSummary,
  getAvailableCredits,
  updateCreditCount,
  userList,
} from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { largeAmount } from '../../entities/credits/balance.ts';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber } from '../../lib/format.ts';
import { InvalidFields, useForm } from '../../lib/hooks/use-form.ts';
import { parseWholeNumber } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirmation } from '../../ui/confirm-dialog.tsx';
import { Form } from '../../ui/form/form.tsx';
import { NumberField, TextField } from '../../ui/form/text-field.tsx';

interface Props {
  client: ClientSummary;
  canGive: number | null;
}

/** Gives submissions from the admin's balance or takes them back. The client sees the reason. */
export function ClientCredits({ client, canGive }: Props) {
  const { ask, dialog } = useConfirmation();
  const request = { creditUser: { user_id: client.id }, can_take_back: true };
  const { can_take_back: canTakeBack, debt = 0 } =
    useQuery(queryOf(getAvailableCredits, request)).data ?? {};
  const form = useForm(
    async ({ change = '', reason = '', act }, send) => {
      const amount = parseWholeNumber(change);
      if (act !== 'take' && canGive !== null && amount > canGive)
        throw new InvalidFields({ change: texts.youCanGive(formatNumber(canGive)) });
      if (act === 'take' && canTakeBack !== undefined && amount > canTakeBack)
        throw new InvalidFields({ change: texts.youCanTakeBack(formatNumber(canTakeBack)) });
      const words = { client: client.first_name, submissions: formatNumber(amount) };
      const question = act === 'take' ? texts.confirmTakeBack(words) : texts.confirmGive(words);
      // Without a reason the call is refused, so there is nothing to confirm.
      if (amount >= largeAmount && reason.trim() && !(await ask(question)))
        throw new InvalidFields({});
      const { creditsAvailable } = await send(updateCreditCount, {
        user_id: client.id,
        change: act === 'take' ? -amount : amount,
        reason,
      });
      return texts.nowHas({ ...words, submissions: formatNumber(creditsAvailable) });
    },
    { isClearedAfterwards: true, changes: [userList, getAvailableCredits] },
  );
  return (
    <>
      <Form form={form} hasChoice aria-labelledby="client-credits">
        <h3 id="client-credits">{texts.submissions}</h3>
        <p>
          {texts.available(formatNumber(client.creditsAvailable))}{' '}
          <span className="muted">
            {canGive !== null && texts.youCanGive(formatNumber(canGive))}{' '}
            {canTakeBack !== undefined && texts.youCanTakeBack(formatNumber(canTakeBack))}
          </span>
        </p>
        {debt > 0 && <p>{texts.owes({ client: client.first_name, debt: formatNumber(debt) })}</p>}
        <NumberField label={texts.howMany} name="change" />
        <TextField label={texts.reason} name="reason" hint={texts.reasonHint} />
        <div className="row">
          <Button type="submit" name="act" value="give">
            {texts.give}
          </Button>
          <Button type="submit" variant="secondary" name="act" value="take">
            {texts.takeBack}
          </Button>
        </div>
      </Form>
      {dialog}
    </>
  );
}

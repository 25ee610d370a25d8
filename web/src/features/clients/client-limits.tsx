import { type ClientSummary, setClientLimits, userList } from '@rowmill/contract';
import { formatNumber } from '../../lib/format.ts';
import { useForm } from '../../lib/hooks/use-form.ts';
import { parseWholeNumber } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { NumberField } from '../../ui/form/text-field.tsx';

export function ClientLimits({ client }: { client: ClientSummary }) {
  const form = useForm(
    async ({ monthly_limit = '', low_balance_at = '' }, send) => {
      const { message } = await send(setClientLimits, {
        user_id: client.id,
        monthly_limit: limitIn(monthly_limit),
        low_balance_at: limitIn(low_balance_at),
      });
      return message ?? texts.limitsSaved;
    },
    { changes: [userList] },
  );
  return (
    <Form form={form} aria-labelledby="client-limits">
      <h3 id="client-limits">{texts.limits}</h3>
      <p>{texts.spentThisMonth(formatNumber(client.spent_this_month))}</p>
      <NumberField
        label={texts.mostInMonth}
        name="monthly_limit"
        defaultValue={client.monthly_limit}
        hint={texts.mostHint}
      />
      <NumberField
        label={texts.lowBalanceAlert}
        name="low_balance_at"
        defaultValue={client.low_balance_at}
        hint={texts.lowBalanceHint}
      />
      <div>
        <Button type="submit" variant="secondary">
          {texts.saveLimits}
        </Button>
      </div>
    </Form>
  );
}

/** Empty means no limit. */
function limitIn(text: string): number | null {
  return text.trim() ? parseWholeNumber(text) : null;
}

import { type ClientSummary, setClientLimits, userList } from '@rowmill/contract';
import { call } from '../../lib/api/api-client.ts';
import { invalidate } from '../../lib/api/query.ts';
import { formatNumber } from '../../lib/format.ts';
import { useSubmit } from '../../lib/hooks/use-submit.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { wholeNumber } from './whole-number.ts';

export function ClientLimits({ client }: { client: ClientSummary }) {
  const { onSubmit, error, busy } = useSubmit({
    endpoint: setClientLimits,
    send: async ({ month = '', low = '' }) => {
      const limits = { monthly_limit: wholeNumber(month), low_balance_at: wholeNumber(low) };
      const { message } = await call(setClientLimits, { user_id: client.id, ...limits });
      showToast('success', message ?? texts.limitsSaved);
      void invalidate(userList);
    },
  });
  return (
    <form className="stack" onSubmit={onSubmit} noValidate aria-labelledby="client-limits">
      <h3 id="client-limits">{texts.limits}</h3>
      <p>{texts.spentThisMonth(formatNumber(client.spent_this_month))}</p>
      {error && <Notice tone="error">{error}</Notice>}
      <TextField
        label={texts.mostInMonth}
        name="month"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={client.monthly_limit ?? ''}
        hint={texts.mostHint}
      />
      <TextField
        label={texts.lowBalanceAlert}
        name="low"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={client.low_balance_at ?? ''}
        hint={texts.lowBalanceHint}
      />
      <div>
        <Button type="submit" variant="secondary" busy={busy}>
          {texts.saveLimits}
        </Button>
      </div>
    </form>
  );
}

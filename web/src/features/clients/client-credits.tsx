import {
  type ClientSummary,
  getAvailableCredits,
  updateCreditCount,
  userList,
} from '@rowmill/contract';
import { useRef } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { invalidate } from '../../lib/api/query.ts';
import { formatNumber } from '../../lib/format.ts';
import { useSubmit } from '../../lib/hooks/use-submit.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { OwnBalance } from './own-balance.tsx';
import { useWishKey } from './use-wish-key.ts';
import { wholeNumber } from './whole-number.ts';

/** Gives submissions from the admin's balance or takes back what was given. The client sees the reason. */
export function ClientCredits({ client }: { client: ClientSummary }) {
  const direction = useRef<1 | -1>(1);
  const { keyFor, fulfilled } = useWishKey();
  const { onSubmit, problems, error, busy } = useSubmit({
    endpoint: updateCreditCount,
    send: async ({ submissions = '', reason = '' }) => {
      const change = (wholeNumber(submissions) ?? 0) * direction.current;
      const request = { user_id: client.id, change, reason };
      const { creditsAvailable } = await call(updateCreditCount, request, {
        idempotencyKey: keyFor(request),
      });
      fulfilled();
      showToast(
        'success',
        texts.nowHas({ client: client.first_name, submissions: formatNumber(creditsAvailable) }),
      );
      void invalidate(userList);
      void invalidate(getAvailableCredits);
    },
  });
  const wants = (next: 1 | -1) => () => {
    direction.current = next;
  };
  return (
    <form className="stack" onSubmit={onSubmit} noValidate aria-labelledby="client-credits">
      <h3 id="client-credits">{texts.submissions}</h3>
      <p>
        {texts.available(formatNumber(client.creditsAvailable))} <OwnBalance />
      </p>
      {error && <Notice tone="error">{error}</Notice>}
      <TextField
        label={texts.howMany}
        name="submissions"
        inputMode="numeric"
        autoComplete="off"
        problem={problems.change}
      />
      <TextField
        label={texts.reason}
        name="reason"
        autoComplete="off"
        hint={texts.reasonHint}
        problem={problems.reason}
      />
      <div className="row">
        <Button type="submit" busy={busy} onClick={wants(1)}>
          {texts.give}
        </Button>
        <Button type="submit" variant="secondary" busy={busy} onClick={wants(-1)}>
          {texts.takeBack}
        </Button>
      </div>
    </form>
  );
}

import { type TestCardAnswer, testCardAnswer, testCardPath, testCards } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useLocation } from 'react-router';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { CardFormProps } from './card-form.ts';
import { goToProvider } from './go-to-provider.ts';
import { refuseReplaced } from './refuse-replaced.ts';

/** Replaces the provider's form in the demo. Nothing can be typed, so no real card gets in. */
export function TestCardForm({ order, clientSecret, onTried }: CardFormProps) {
  const { pathname } = useLocation();
  const payment = useMutation({
    mutationFn: async (number: string) => {
      await refuseReplaced(order.order_id);
      const answer = await payTestCard({
        client_secret: clientSecret,
        number,
        return_path: pathname,
      });
      if (answer.outcome === 'declined')
        throw new Error(texts.tryAnotherCard(answer.message ?? texts.cardDeclined));
      if (answer.outcome === 'requires_action' && answer.next_url) goToProvider(answer.next_url);
      else await onTried();
    },
  });
  function pay(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    payment.mutate(String(new FormData(event.currentTarget).get('card')));
  }
  return (
    <form className="stack" onSubmit={pay}>
      <Notice tone="warning">{texts.demoCards}</Notice>
      <ChoiceField
        label={texts.chooseTestCard}
        name="card"
        choices={testCards.map(({ number, label }) => [
          number,
          `${number.replace(/(.{4})(?=.)/g, '$1 ')} ${label}`,
        ])}
        problem={payment.error ? errorMessage(payment.error) : undefined}
        noteRole="alert"
      />
      <div>
        <Button type="submit" busy={payment.isPending}>
          {texts.paySum(formatMoney(order.total_minor, order.currency))}
        </Button>
      </div>
    </form>
  );
}

interface Payment {
  client_secret: string;
  number: string;
  return_path: string;
}

/** Pays with a demo card. Available only without a real provider. */
async function payTestCard(payment: Payment): Promise<TestCardAnswer> {
  const response = await fetch(testCardPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payment),
  }).catch((cause) => {
    throw new Error(texts.demoUnreachable, { cause });
  });
  const body = await response.json().catch(() => null);
  const parsed = testCardAnswer.safeParse(body);
  if (parsed.success) return parsed.data;
  const message = (body as { message?: unknown } | null)?.message;
  throw new Error(typeof message === 'string' ? message : texts.demoUnusable);
}

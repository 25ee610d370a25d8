import { testCards } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { useLocation } from 'react-router';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { formatMoney } from '../../../lib/format.ts';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { CardFormProps } from './card-form.ts';
import { goToProvider } from './go-to-provider.ts';
import { payTestCard } from './pay-test-card.ts';

/** Replaces the provider's form in the demo. Nothing can be typed, so no real card gets in. */
export function TestCardForm({ order, clientSecret, onTried }: CardFormProps) {
  const id = useId();
  const { pathname } = useLocation();
  const payment = useMutation({
    mutationFn: async (number: string) => {
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
      <div className="field">
        <label htmlFor={id}>{texts.chooseTestCard}</label>
        <select
          id={id}
          name="card"
          aria-invalid={payment.isError}
          aria-describedby={`${id}-problem`}
        >
          {testCards.map(({ number, label }) => (
            <option key={number} value={number}>
              {number.replace(/(.{4})(?=.)/g, '$1 ')} {label}
            </option>
          ))}
        </select>
        <span id={`${id}-problem`} className="problem" role="alert">
          {payment.isError && errorMessage(payment.error)}
        </span>
      </div>
      <div>
        <Button type="submit" busy={payment.isPending}>
          {texts.paySum(formatMoney(order.total_minor, order.currency))}
        </Button>
      </div>
    </form>
  );
}

import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { loadStripe } from '@stripe/stripe-js';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { otherQuery } from '../../../lib/api/query.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import { readTheme } from '../../../lib/theme.ts';
import * as texts from '../../../texts/billing.ts';
import { tryAgain } from '../../../texts/ui.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-note.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { CardFormProps } from './card-form.ts';
import { refuseReplaced } from './refuse-replaced.ts';

/** A network that drops what it blocks would leave the page empty for minutes. */
const scriptMilliseconds = 20_000;
const delay = (milliseconds: number) =>
  new Promise<null>((resolve) => setTimeout(() => resolve(null), milliseconds));

/** The provider's form in its own frame, out of reach for this page. */
export function StripeCardForm({
  publishableKey,
  ...form
}: CardFormProps & { publishableKey: string }) {
  const [loads, setLoads] = useState(1);
  const query = useQuery({
    ...otherQuery(`stripe ${publishableKey}`, async () => {
      // It rejects in its own words when its script does not load.
      const stripe = await Promise.race([
        loadStripe(publishableKey).catch(() => null),
        delay(scriptMilliseconds),
      ]);
      if (!stripe) throw new Error(texts.cardFormFails);
      return stripe;
    }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <Loading query={query}>
      {(stripe) => (
        <Elements
          key={loads}
          stripe={stripe}
          options={{ clientSecret: form.clientSecret, appearance: { theme: themeNow() } }}
        >
          <Form {...form} onReload={() => setLoads(loads + 1)} />
        </Elements>
      )}
    </Loading>
  );
}

function Form({ order, onTried, onReload }: CardFormProps & { onReload: () => void }) {
  const [isBroken, setBroken] = useState(false);
  const stripe = useStripe();
  const elements = useElements();
  const payment = useMutation({
    mutationFn: async () => {
      if (!stripe || !elements) return;
      await refuseReplaced(order.order_id);
      const { error } = await stripe.confirmPayment({
        elements,
        confirmParams: {
          return_url: `${location.origin}${location.pathname}?order_id=${encodeURIComponent(order.order_id)}`,
        },
        redirect: 'if_required',
      });
      if (error) throw new Error(error.message ?? texts.notSucceeded);
      await onTried();
    },
  });
  function pay(event: FormEvent): void {
    event.preventDefault();
    payment.mutate();
  }
  if (isBroken)
    return (
      <Notice tone="error">
        <p>{texts.cardFormFails}</p>
        <Button variant="secondary" onClick={onReload}>
          {tryAgain}
        </Button>
      </Notice>
    );
  return (
    <form className="stack" onSubmit={pay}>
      {/* Its script has loaded, but its frame or its order has not. */}
      <PaymentElement onLoadError={() => setBroken(true)} />
      <ErrorNotice error={payment.error} />
      <div>
        <Button type="submit" busy={payment.isPending} disabled={!stripe || !elements}>
          {texts.paySum(formatMoney(order.total_minor, order.currency))}
        </Button>
      </div>
    </form>
  );
}

function themeNow(): 'stripe' | 'night' {
  const chosen = readTheme();
  const isDark =
    chosen === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
  return isDark ? 'night' : 'stripe';
}

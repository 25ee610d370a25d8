import { lazy, Suspense } from 'react';
import { settings } from '../../../lib/settings.ts';
import * as texts from '../../../texts/billing.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { CardFormProps } from './card-form.ts';
import { StepSection } from './step-section.tsx';
import { TestCardForm } from './test-card-form.tsx';

/** Loaded with the provider's script, only for card payments. */
const StripeCardForm = lazy(async () => ({
  default: (await import('./stripe-card-form.tsx')).StripeCardForm,
}));

/** Card data goes straight to the provider, never through our server. */
export function CardPayment({ problem, ...form }: CardFormProps & { problem: string | null }) {
  const { stripe, test_cards } = settings().payments;
  return (
    <StepSection title={texts.payByCard}>
      {problem && <Notice tone="error">{problem}</Notice>}
      {stripe.publishable_key && (
        <Suspense fallback={<p role="status">{texts.cardFormLoads}</p>}>
          <StripeCardForm {...form} publishableKey={stripe.publishable_key} />
        </Suspense>
      )}
      {!stripe.publishable_key && test_cards && <TestCardForm {...form} />}
      {!stripe.publishable_key && !test_cards && <Notice tone="warning">{texts.noCards}</Notice>}
    </StepSection>
  );
}

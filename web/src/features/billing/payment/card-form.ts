import type { OrderSummary } from '@rowmill/contract';

export interface CardFormProps {
  order: OrderSummary;
  clientSecret: string;
  /** Called after the person submits; only the server knows the result. */
  onTried: () => Promise<void>;
}

import type { OrderSummary } from '@rowmill/contract';

/** Props of every card form. */
export interface CardFormProps {
  order: OrderSummary;
  clientSecret: string;
  /** Called after the person submits; only the server knows the result. */
  onTried: () => Promise<void>;
}

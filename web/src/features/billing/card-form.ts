import type { OrderSummary } from '@rowmill/contract';

/** What every form for a card is given, whoever made it. */
export interface CardFormProps {
  order: OrderSummary;
  clientSecret: string;
  /** The person has done his part; what became of it only the server can say. */
  onTried: () => Promise<void>;
}

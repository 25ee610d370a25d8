import type {
  BillingAddress,
  OrderType,
  PaymentMethod,
  PaymentState,
  ReversalKind,
  ReversalState,
} from '@rowmill/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The catalogue, orders, payments and invoices. */
export interface BillingTables {
  plans: PlanTable;
  packs: PackTable;
  tax: TaxTable;
  catalogue_history: CatalogueHistoryTable;
  orders: OrderTable;
  order_lines: OrderLineTable;
  payments: PaymentTable;
  reversals: ReversalTable;
  provider_events: ProviderEventTable;
  invoice_numbers: InvoiceNumberTable;
  invoices: InvoiceTable;
}

export type Instant = ColumnType<Date, Date, Date>;
export type MaybeInstant = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface PlanTable {
  id: string;
  name: string;
  price_minor: number;
  currency: string;
  period_days: number | null;
  submissions: number;
  features: JSONColumnType<string[]>;
  highlighted: boolean;
  position: number;
  is_sold: Generated<boolean>;
  /** Grows with every change. */
  version: Generated<number>;
}

/** The terms of a plan when it was ordered; later changes in the catalogue do not affect it. */
export interface PlanTerms {
  name: string;
  price_minor: number;
  currency: string;
  period_days: number | null;
  submissions: number;
  features: string[];
}

export interface PackTable {
  id: string;
  name: string;
  count: number;
  rate_minor: number;
  currency: string;
  position: number;
  is_sold: Generated<boolean>;
  /** Grows with every change. */
  version: Generated<number>;
}

/** One row: the currency of every price, and the tax that it includes. */
export interface TaxTable {
  id: string;
  name: string;
  basis_points: number;
  currency: string;
  version: Generated<number>;
}

/** Written by a trigger: the record before and after a change, and who made it, if known. */
export interface CatalogueHistoryTable {
  id: Generated<number>;
  at: Generated<Date>;
  item: string;
  item_id: string;
  before: JSONColumnType<Record<string, unknown>> | null;
  after: JSONColumnType<Record<string, unknown>> | null;
  actor_id: string | null;
}

export interface OrderTable {
  id: string;
  user_id: string;
  actor_id: string;
  type: OrderType;
  plan_id: string | null;
  period_days: number | null;
  description: string;
  submissions: number;
  total_minor: number;
  tax_minor: number;
  tax_name: string;
  tax_basis_points: number;
  currency: string;
  payment_method: PaymentMethod;
  payment_status: PaymentState;
  problem: string | null;
  /** Of a pending order: the buyer has paid, and the provider is still checking it. */
  is_processing: Generated<boolean>;
  billing_address: JSONColumnType<BillingAddress, string, string>;
  /** Submissions given for it: none or all. */
  granted: Generated<number>;
  taken_back: Generated<number>;
  refunded_minor: Generated<number>;
  /** What refunds and disputes have taken, also disputes that are still open. */
  reversed_minor: Generated<number>;
  order_key: string | null;
  created_at: Instant;
  checked_at: MaybeInstant;
  paid_at: MaybeInstant;
}

export interface OrderLineTable {
  order_id: string;
  position: number;
  item_id: string;
  name: string;
  quantity: number;
  count: number;
  rate_minor: number;
}

export interface PaymentTable {
  id: string;
  order_id: string;
  user_id: string;
  attempt: number;
  provider: string;
  /** The provider's id for it; null until the provider has answered. */
  provider_ref: string | null;
  /** The payee that the provider named when the payment was opened. */
  merchant: string | null;
  payment_status: PaymentState;
  problem: string | null;
  refunded_minor: Generated<number>;
  created_at: Instant;
  paid_at: MaybeInstant;
  /** Set when an operator refused it; after that it never grants anything. */
  refused_at: MaybeInstant;
  /** How often the provider refused to refund it, and its last reason. */
  refund_refusals: Generated<number>;
  refund_problem: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface ReversalTable {
  provider_ref: string;
  payment_id: string;
  kind: ReversalKind;
  state: ReversalState;
  amount_minor: number;
}

/** The payment that an event is about. The provider is asked for everything else. */
export interface EventHint {
  orderId: string | null;
  paymentRef: string | null;
}

export interface ProviderEventTable {
  provider: string;
  event_id: string;
  kind: string;
  hint: JSONColumnType<EventHint, string, never>;
  received_at: Instant;
  processed_at: MaybeInstant;
}

export interface InvoiceNumberTable {
  series: InvoiceSeries;
  last: number;
}

/** Invoices and credit notes. */
export type InvoiceSeries = 'INV' | 'CN';

export interface InvoiceDocument {
  /** Earlier invoices have no tax number. */
  company: { name: string; address: string; tax_number?: string; email: string; phone: string };
  customer: { name: string; email: string; address: BillingAddress };
  lines: {
    name: string;
    quantity: number;
    count: number;
    rate_minor: number;
    total_minor: number;
  }[];
  currency: string;
  tax: { name: string; percent: number; minor: number };
  total_minor: number;
  /** How it was paid, or what a credit note corrects. */
  note: string;
}

export interface InvoiceTable {
  series: InvoiceSeries;
  sequence: number;
  number: string;
  order_id: string;
  reversal_ref: string | null;
  issued_at: Instant;
  total_minor: number;
  document: JSONColumnType<InvoiceDocument, string, never>;
}

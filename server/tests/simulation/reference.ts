import type {
  BatchState,
  PauseReason,
  PaymentMethod,
  PaymentState,
  RowState,
} from '@rowmill/contract';
import type { ActingFor } from '../../src/core/authority.ts';
import type { Reversal } from '../../src/domains/billing/port.ts';
import { answerTokens, economyPrice, type ModelName, prices, sizeTokens } from './simulated-app.ts';

export interface User {
  id: string;
  /** The user, or an admin acting for them. */
  actors: ActingFor[];
  available: number;
  spent: number;
  debt: number;
  /** Given by their admin, and neither taken back nor spent: gifts are spent first. */
  given: number;
}

export interface Sheet {
  id: string;
  owner: User;
  /** For each row whether it has text. */
  hasText: boolean[];
  isDeleted: boolean;
}

export interface Batch {
  id: string;
  /** Its name in the log of a walk. */
  label: string;
  owner: User;
  sheet: Sheet;
  model: ModelName;
  /** With a deadline, at half the price. */
  isEconomy: boolean;
  question: string;
  startKey: string | null;
  /** The most that a row may cost. */
  price: number;
  /** The rows to ask, in order. */
  wanted: number[];
  hasSelection: boolean;
  results: Map<number, RowState>;
  state: BatchState;
  reason: PauseReason | null;
  reserved: number;
  charged: number;
  isPartial: boolean;
  isDeleted: boolean;
  /** A preview was running when it started, so both share the batch's reservation. */
  sharesReservation: boolean;
  /** How many of the last rows cost nothing or were answered before the start. */
  freeAtEnd: number;
  /** The most that was charged and reserved at a time, without what previews returned. */
  mostReserved: number;
  previewedAt: number;
}

export interface Question {
  owner: User;
  key: string | null;
  reserved: number;
  model: ModelName;
  state: 'asking' | 'answered' | 'failed';
  askedAt: number;
}

export interface Payment {
  id: string;
  attempt: number;
  openedAt: number;
  ref: string | null;
  status: PaymentState;
  isPaid: boolean;
  /** The buyer has paid, and the provider is still checking it. */
  isProcessing: boolean;
  /** It did not match, and an operator rejected it. */
  isRejected: boolean;
  reversals: Map<string, Reversal>;
}

export interface Order {
  id: string;
  label: string;
  owner: User;
  method: PaymentMethod;
  planId: string | null;
  key: string | null;
  submissions: number;
  totalMinor: number;
  createdAt: number;
  status: PaymentState;
  isPaid: boolean;
  takenBack: number;
  refundedMinor: number;
  /** Oldest first. */
  payments: Payment[];
}

/** A simple model of the product in memory: what the database must contain after the same steps. */
export class Reference {
  readonly users: User[] = [];
  readonly sheets: Sheet[] = [];
  readonly batches: Batch[] = [];
  questions: Question[] = [];
  readonly orders: Order[] = [];
  /** All submissions from outside, and their causes. */
  granted = 0;
  readonly causes = new Set<string>();

  grant(user: User, amount: number): void {
    credit(user, amount);
    this.granted += amount;
  }

  /** Takes what is available and turns the rest into debt. A negative amount gives back. */
  takeBack(user: User, amount: number): void {
    if (amount < 0) this.grant(user, -amount);
    if (amount <= 0) return;
    const there = Math.min(user.available, amount);
    user.available -= there;
    user.debt += amount - there;
    this.granted -= amount;
  }

  /** A loss that is not spent, such as a paid debt, concerns what was not given first. */
  limitGifts(): void {
    for (const user of this.users)
      user.given = Math.min(user.given, user.available + this.reservedBy(user));
  }

  reservedBy(user: User): number {
    const works = [...this.batches, ...this.questions].filter(({ owner }) => owner === user);
    return works.reduce((sum, { reserved }) => sum + reserved, 0);
  }

  add(batch: Omit<Batch, 'label'>): Batch {
    const labelled = { ...batch, label: `batch ${this.batches.length + 1}` };
    this.batches.push(labelled);
    return labelled;
  }

  uses(sheet: Sheet): boolean {
    return this.batches.some((batch) => batch.sheet === sheet && !batch.isDeleted);
  }

  visibleBatches(): Batch[] {
    return this.batches.filter(({ isDeleted }) => !isDeleted);
  }
}

/** What the product adds to a prompt to estimate its tokens. */
const addedTokens = 50;

/** The most that the model may cost for a prompt of this length. */
export function mostOf(model: ModelName, length: number): number {
  return model === 'sized'
    ? Math.ceil((length + addedTokens + answerTokens) / sizeTokens)
    : prices[model];
}

/** The most for the rows of a plan, by the longest of their prompts. */
export function mostOfRows(
  { model, isEconomy, sheet, question }: Pick<Batch, 'model' | 'isEconomy' | 'sheet' | 'question'>,
  rows: readonly number[],
): number {
  if (isEconomy) return economyPrice;
  const lengths = rows.map((row) =>
    sheet.hasText[row] ? question.replace('{{Text}}', textOf(row)).length : 0,
  );
  return mostOf(model, Math.max(0, ...lengths));
}

export const textOf = (row: number) => `text ${row}`;

/** What an answer of this size costs, of the price that is reserved for it. */
export function chargeOf({ model, price }: Pick<Batch, 'model' | 'price'>, tokens: number): number {
  return model === 'sized' ? Math.min(price, Math.max(1, Math.ceil(tokens / sizeTokens))) : price;
}

/**
 * Charges answers. What was reserved for them and is not charged returns, unless the batch needs it
 * for more of its rows.
 */
export function chargeAnswers(batch: Batch, tokens: readonly number[]): void {
  const charge = sumOf(tokens.map((each) => chargeOf(batch, each)));
  chargeReserved(batch, charge);
  batch.charged += charge;
  if (!batch.isPartial) reserve(batch, charge - tokens.length * batch.price);
}

/** What the reservation must hold to store answers. */
export function takenBy(batch: Batch, tokens: readonly number[]): number {
  const charge = sumOf(tokens.map((each) => chargeOf(batch, each)));
  return batch.isPartial ? charge : tokens.length * batch.price;
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** A row without a value in the columns of the prompt is not asked. */
export function isBlankRow({ sheet }: Pick<Batch, 'sheet'>, row: number): boolean {
  return !sheet.hasText[row];
}

export function isDone({ results, wanted }: Batch): boolean {
  return results.size === wanted.length;
}

export function countOf({ results }: Batch, state: RowState): number {
  return [...results.values()].filter((known) => known === state).length;
}

/** The rows without a result that cost something. */
export function rowsToPay({ wanted, results, ...batch }: Batch): number {
  return wanted.filter((row) => !results.has(row) && !isBlankRow(batch, row)).length;
}

/** The amount to reserve, or null if the balance is too small. */
export function reservable(
  { owner, price }: Pick<Batch, 'owner' | 'price'>,
  needed: number,
  isPartial: boolean,
): number | null {
  if (needed <= 0) return 0;
  const { available } = owner;
  let amount = needed;
  while (isPartial && amount > available) amount -= price;
  return amount <= 0 || amount > available ? null : amount;
}

/** Pays debt first. */
export function credit(user: User, amount: number): void {
  const paid = Math.min(user.debt, amount);
  user.debt -= paid;
  user.available += amount - paid;
}

export function reserve(work: { owner: User; reserved: number }, amount: number): void {
  if (amount < 0) credit(work.owner, -amount);
  else work.owner.available -= amount;
  work.reserved += amount;
}

export function reserveForBatch(batch: Batch, amount: number): void {
  reserve(batch, amount);
  batch.mostReserved = Math.max(batch.mostReserved, batch.charged + batch.reserved);
}

/** Returns the reservation except `keep`. */
export function returnReserved(work: Batch | Question, keep = 0): void {
  const amount = Math.max(0, work.reserved - keep);
  reserve(work, -amount);
  if (work.state === 'ready') work.mostReserved -= amount;
}

export function chargeReserved(work: { owner: User; reserved: number }, amount: number): void {
  work.reserved -= amount;
  work.owner.spent += amount;
  work.owner.given = Math.max(0, work.owner.given - amount);
}

export function complete(batch: Batch): void {
  returnReserved(batch);
  batch.state = 'completed';
  batch.reason = null;
}

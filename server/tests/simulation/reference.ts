import type {
  BatchState,
  PauseReason,
  PaymentMethod,
  PaymentState,
  RowState,
} from '@rowmill/contract';
import type { ActingFor } from '../../src/core/authority.ts';
import type { Reversal } from '../../src/domains/billing/port.ts';
import { type ModelName, prices } from './simulated-app.ts';

export interface Person {
  id: string;
  /** Himself, or an admin who acts for him. */
  actings: ActingFor[];
  available: number;
  spent: number;
  /** Taken back, but not there any more. */
  owed: number;
  /** What his admin has given him and not taken back. */
  given: number;
}

export interface Sheet {
  id: string;
  owner: Person;
  /** Which of its rows ask something. */
  asks: boolean[];
  isDeleted: boolean;
}

export interface Batch {
  id: string;
  /** What the story of a walk calls it. */
  label: string;
  owner: Person;
  sheet: Sheet;
  model: ModelName;
  question: string;
  startKey: string | null;
  /** Rows of the sheet, in their order. */
  wanted: number[];
  hasSelection: boolean;
  results: Map<number, RowState>;
  state: BatchState;
  reason: PauseReason | null;
  held: number;
  charged: number;
  isPartial: boolean;
  isDeleted: boolean;
  /** A preview was under way when it began to run: what that one holds looks like a hold of the batch. */
  sharesHold: boolean;
  /** When the last preview of it was asked for. */
  previewedAt: number;
}

export interface Question {
  owner: Person;
  key: string | null;
  held: number;
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
  /** It did not fit, and an operator has turned it down. */
  isRefused: boolean;
  reversals: Map<string, Reversal>;
}

export interface Order {
  id: string;
  label: string;
  owner: Person;
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
  /** The first attempt first. */
  payments: Payment[];
}

/** What the reference of the product must say: the same history, told by simple arithmetic in memory. */
export class Reference {
  readonly people: Person[] = [];
  readonly sheets: Sheet[] = [];
  readonly batches: Batch[] = [];
  questions: Question[] = [];
  readonly orders: Order[] = [];
  /** All that ever came in from outside, and by which causes. */
  granted = 0;
  readonly causes = new Set<string>();

  grant(person: Person, amount: number): void {
    gain(person, amount);
    this.granted += amount;
  }

  /** What is available goes first, what is missing is owed. A negative amount returns. */
  takeBack(person: Person, amount: number): void {
    if (amount < 0) this.grant(person, -amount);
    if (amount <= 0) return;
    const there = Math.min(person.available, amount);
    person.available -= there;
    person.owed += amount - there;
    this.granted -= amount;
  }

  heldBy(person: Person): number {
    const works = [...this.batches, ...this.questions].filter(({ owner }) => owner === person);
    return works.reduce((sum, { held }) => sum + held, 0);
  }

  add(batch: Omit<Batch, 'label'>): Batch {
    const labelled = { ...batch, label: `batch ${this.batches.length + 1}` };
    this.batches.push(labelled);
    return labelled;
  }

  uses(sheet: Sheet): boolean {
    return this.batches.some((batch) => batch.sheet === sheet && !batch.isDeleted);
  }

  /** Batches that people can see. */
  shown(): Batch[] {
    return this.batches.filter(({ isDeleted }) => !isDeleted);
  }
}

export function priceOf({ model }: Pick<Batch, 'model'>): number {
  return prices[model];
}

/** Where the question says something by itself, a blank row asks that. */
export function isBlankRow(
  { sheet, question }: Pick<Batch, 'sheet' | 'question'>,
  row: number,
): boolean {
  return question === '{{Text}}' && !sheet.asks[row];
}

export function isDone({ results, wanted }: Batch): boolean {
  return results.size === wanted.length;
}

export function countOf({ results }: Batch, state: RowState): number {
  return [...results.values()].filter((known) => known === state).length;
}

/** How much would be set aside; nothing when there is too little. */
export function holdable(
  batch: Pick<Batch, 'owner' | 'model'>,
  needed: number,
  isPartial: boolean,
): number | null {
  if (needed <= 0) return 0;
  const { available } = batch.owner;
  const price = priceOf(batch);
  const amount = isPartial ? Math.min(needed, Math.floor(available / price) * price) : needed;
  return amount <= 0 || amount > available ? null : amount;
}

/** Whatever becomes available pays what is owed first. */
export function gain(person: Person, amount: number): void {
  const paid = Math.min(person.owed, amount);
  person.owed -= paid;
  person.available += amount - paid;
}

export function take(work: { owner: Person; held: number }, amount: number): void {
  if (amount < 0) gain(work.owner, -amount);
  else work.owner.available -= amount;
  work.held += amount;
}

/** Gives back what is held but for `keep`. */
export function release(work: { owner: Person; held: number }, keep = 0): void {
  take(work, -Math.max(0, work.held - keep));
}

export function spend(work: { owner: Person; held: number }, amount: number): void {
  work.held -= amount;
  work.owner.spent += amount;
}

/** Every row has its result. */
export function complete(batch: Batch): void {
  release(batch);
  batch.state = 'completed';
  batch.reason = null;
}

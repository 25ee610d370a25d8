import type { AnswerMark } from '@rowmill/contract';
import type { Context } from '../core/context.ts';
import { type AnswerMarker, marksOfFailure } from '../domains/batches/marks/answer-marker.ts';
import { storeResults } from '../domains/batches/results/store-results.ts';
import type { UnaskedRow } from '../domains/batches/slices/lease.ts';
import { addUsage, reservedConstraint } from '../domains/batches/store/change-results.ts';
import type { RowResult } from '../domains/batches/store/results.ts';
import { unusableExcess } from '../domains/batches/unusable-rows.ts';
import { estimatedTokens } from '../domains/prompts/price.ts';
import { tokenColumns } from '../domains/prompts/token-columns.ts';
import { cutUnusable } from '../lib/stored-bounds.ts';
import type { AnswerJournal } from './answer-journal.ts';
import type { Corrections } from './corrections.ts';
import type { Emit } from './events.ts';
import type { LeasedRow } from './leased-slice.ts';
import type { Leases } from './leases.ts';
import { PendingResults } from './pending-results.ts';

/** All results are due with this many, or twice the calls in flight if that is more. */
const minRowsPerTransaction = 256;
/** A database restart takes seconds; failure.md promises a retry every second. */
const retryMilliseconds = 1_000;

interface Parts {
  leases: Leases;
  journal: AnswerJournal | null;
  corrections: Corrections;
  marker: AnswerMarker;
  emit: Emit;
}

interface Unstored {
  row: LeasedRow;
  result: RowResult;
}

interface Arrived {
  row: LeasedRow;
  answer: string;
  by?: string;
}

interface Failure {
  problem: string;
  answer?: string;
  mark?: AnswerMark;
}

const entryOf = ({ row: { slice }, result }: Unstored) => ({
  batchId: slice.batchId,
  lease: slice.lease,
  result,
});

/** Errors after which the batch waits. After any other error the results are written again. */
const pauseReasons: Record<string, 'needs_credits' | 'storage_full' | undefined> = {
  [reservedConstraint]: 'needs_credits',
  insufficient_credits: 'needs_credits',
  53100: 'storage_full',
  ENOSPC: 'storage_full',
};

/** Stores results, many in one transaction and one transaction at a time. */
export class ResultWriter {
  readonly #ctx: Context;
  readonly #parts: Parts;
  /** Every result that is neither stored nor given up: those below, and those in a transaction. */
  readonly #open = new Set<Unstored>();
  /** Answers of this turn of the event loop. */
  #arrived: Arrived[] = [];
  readonly #pending = new PendingResults<Unstored>();
  #timer: { at: number; timeout: NodeJS.Timeout } | null = null;
  #writing: Promise<void> | null = null;
  /** Results that could not be stored wait here, and do not hold up others. */
  readonly #retries = new Set<Promise<void>>();

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  /** Marks it after the next calls of all answers that arrived together are sent. */
  addAnswer(row: LeasedRow, { answer, by }: { answer: string; by?: string }): void {
    if (this.#arrived.length === 0) setImmediate(() => this.#takeArrived());
    this.#arrived.push({ row, answer, by });
  }

  #takeArrived(): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    for (const one of arrived) this.#takeAnswer(one);
    this.#parts.journal?.write();
  }

  #takeAnswer({ row, answer, by }: Arrived): void {
    const marks = this.#marksOf(row, answer);
    const isEstimated = row.slice.isPricedBySize && !row.tokens;
    this.#add(row, {
      row: row.row,
      state: 'answered',
      answer,
      problem: null,
      ...marks,
      ...(by !== undefined && { answered_by: by }),
      ...(isEstimated && { estimated_tokens: estimatedTokens(row.fillPrompt(), answer) }),
    });
  }

  /** A row without a call, such as an empty one. */
  addUnasked(row: LeasedRow, { state, problem }: Omit<UnaskedRow, 'row'>): void {
    if (state === 'failed') this.addFailure(row, { problem });
    else this.#add(row, { row: row.row, state, answer: null, problem });
  }

  /** With the answer that the model gave, if it cannot be used. */
  addFailure(row: LeasedRow, { problem, mark, ...failure }: Failure): void {
    const answer = failure.answer ?? row.correction?.answer;
    const marks = marksOfFailure(answer, mark);
    this.#add(row, {
      row: row.row,
      state: 'failed',
      answer: answer === undefined ? null : cutUnusable(answer),
      problem,
      marks,
    });
  }

  /** Completes when every result is stored or given up. */
  async flush(): Promise<void> {
    this.#takeArrived();
    while (this.#writing || this.#pending.count > 0 || this.#retries.size > 0) {
      if (!this.#writing && this.#pending.count > 0) this.#start(Number.POSITIVE_INFINITY);
      await (this.#writing ?? Promise.race(this.#retries));
    }
  }

  /** An answer is stored even if it cannot be marked. */
  #marksOf({ slice, row, fillPrompt }: LeasedRow, answer: string) {
    const { batchId, model, options, fixedParts } = slice;
    const batch = { batchId, model, fixedParts, outputs: options.outputs };
    try {
      return this.#parts.marker.mark(batch, { row, answer, prompt: fillPrompt });
    } catch (error) {
      this.#ctx.log.error({ err: error, batch: batchId }, 'an answer could not be marked');
      return {};
    }
  }

  #add(row: LeasedRow, result: RowResult): void {
    const unstored = { row, result: Object.assign(result, tokenColumns(row.tokens)) };
    this.#pending.add(row.slice.userId, [unstored], performance.now());
    this.#open.add(unstored);
    this.#parts.corrections.remove(row);
    this.#parts.journal?.add(entryOf(unstored));
    this.#schedule();
  }

  #schedule(): void {
    const { count, dueAt } = this.#pending;
    if (this.#writing || count === 0) return;
    const full = Math.max(minRowsPerTransaction, 2 * this.#ctx.config.chat.concurrency);
    // When these are the last open rows, no more results will come.
    if (count >= Math.min(full, this.#parts.leases.openRows)) {
      this.#start(Number.POSITIVE_INFINITY);
      return;
    }
    if (this.#timer && this.#timer.at <= dueAt) return;
    if (this.#timer) clearTimeout(this.#timer.timeout);
    const start = () => this.#start(dueAt);
    const wait = Math.max(0, dueAt - performance.now());
    this.#timer = { at: dueAt, timeout: setTimeout(start, wait) };
  }

  /** Writes the results that are due by then. */
  #start(dueBy: number): void {
    if (this.#timer) clearTimeout(this.#timer.timeout);
    this.#timer = null;
    const unstored = this.#pending.take(dueBy, performance.now());
    this.#writing = this.#write(unstored).finally(() => {
      this.#writing = null;
      this.#schedule();
    });
  }

  async #write(unstored: Unstored[]): Promise<void> {
    for (const [batchId, group] of Map.groupBy(unstored, ({ row }) => row.slice.batchId)) {
      try {
        await this.#writeBatch(batchId, group);
      } catch (error) {
        await this.#recover(error, batchId, group);
      }
    }
    this.#parts.journal?.keepOnly([
      ...this.#open.values().map(entryOf),
      ...this.#parts.corrections.entries,
    ]);
  }

  async #writeBatch(batchId: string, group: Unstored[]): Promise<void> {
    const results = group.map(({ result }) => result);
    const batch = await storeResults(this.#ctx, { batchId, results });
    this.#ctx.passFaultPoint?.('after-commit');
    for (const one of group) {
      this.#open.delete(one);
      one.row.slice.unusableExcess += unusableExcess([one.result]);
    }
    const rows = group.map(({ row }) => row);
    await this.#parts.emit({ type: 'rows_stored', batchId, rows, state: batch?.state ?? null });
  }

  /** A paid answer is not thrown away because the database is briefly unavailable. */
  async #recover(error: unknown, batchId: string, group: Unstored[]): Promise<void> {
    const { constraint, code } = error as { constraint?: string; code?: string };
    this.#ctx.log.error({ err: error, batch: batchId }, 'could not store results');
    const reason = pauseReasons[constraint ?? ''] ?? pauseReasons[code ?? ''];
    if (!reason) {
      this.#retryLater(group);
      return;
    }
    const results = group.map(({ result }) => result);
    // On a full disk their cost is lost too.
    await addUsage(this.#ctx.db, batchId, results).catch((error) =>
      this.#ctx.log.error({ err: error, batch: batchId }, 'could not store the cost of results'),
    );
    for (const one of group) this.#open.delete(one);
    const rows = group.map(({ row }) => row);
    await this.#parts.emit({ type: 'rows_not_storable', batchId, rows, pause: { reason } });
  }

  #retryLater(group: Unstored[]): void {
    const retry = new Promise<void>((resolve) => setTimeout(resolve, retryMilliseconds)).then(
      () => {
        this.#retries.delete(retry);
        this.#pending.add(group[0]?.row.slice.userId ?? '', group, performance.now());
        this.#schedule();
      },
    );
    this.#retries.add(retry);
  }
}

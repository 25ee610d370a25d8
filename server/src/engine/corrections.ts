import type { AnswerJournal, JournalledCorrection } from './answer-journal.ts';
import type { LeasedRow, LeasedSlice } from './leased-slice.ts';

/** At most 2 MB. The oldest go first; a row without its first answer starts over. */
const maximum = 1_000;

const keyOf = (batchId: string, row: number) => `${batchId} ${row}`;
/** Another model or other columns make an earlier answer meaningless. */
const subjectOf = ({ model, options }: LeasedSlice) => JSON.stringify([model, options.outputs]);

/**
 * First answers that did not fit their columns, until the row has a result. A row that is leased
 * again, after a pause or a kill, is only asked for the correction.
 */
export class Corrections {
  readonly #journal: AnswerJournal | null;
  readonly #open = new Map<string, JournalledCorrection>();

  constructor(journal: AnswerJournal | null) {
    this.#journal = journal;
  }

  add({ slice, row, correction, tokens }: LeasedRow): void {
    if (!correction) return;
    const { batchId, lease } = slice;
    this.recall({ batchId, lease, row, correction, tokens, subject: subjectOf(slice) });
  }

  /** Adds a first answer from the journal of a killed process. */
  recall(entry: JournalledCorrection): void {
    const key = keyOf(entry.batchId, entry.row);
    this.#open.delete(key);
    this.#open.set(key, entry);
    this.#journal?.add(entry);
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size > maximum) this.#open.delete(oldest);
  }

  /** The row as it was when its first answer had arrived. */
  resume(row: LeasedRow): LeasedRow {
    if (this.#open.size === 0) return row;
    const entry = this.#open.get(keyOf(row.slice.batchId, row.row));
    if (entry?.subject !== subjectOf(row.slice)) return row;
    return { ...row, correction: entry.correction, tokens: entry.tokens };
  }

  /** The row has a result. */
  remove({ slice, row }: LeasedRow): void {
    if (this.#open.size > 0) this.#open.delete(keyOf(slice.batchId, row));
  }

  /** The batch has ended. */
  forget(batchId: string): void {
    for (const [key, entry] of this.#open) if (entry.batchId === batchId) this.#open.delete(key);
  }

  get entries(): Iterable<JournalledCorrection> {
    return this.#open.values();
  }
}

import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { DataDirectoryLock } from '../db/embedded/data-lock.ts';
import type { RowResult } from '../domains/batches/store/results.ts';
import type { CallTokens, Correction, Lease } from './port.ts';

/** The result of a row that is not in the database yet, and the lease that received it. */
export interface JournalledResult {
  batchId: string;
  lease: Lease;
  result: RowResult;
}

/** An unusable first answer of a row without a result. `subject`: what it was asked for. */
export interface JournalledCorrection {
  batchId: string;
  lease: Lease;
  row: number;
  correction: Correction;
  tokens?: CallTokens | null;
  subject: string;
}

export type JournalEntry = JournalledResult | JournalledCorrection;

/** Only a long outage of the database fills it. Later answers are in memory only. */
const maxBytes = 64 * 1024 * 1024;
/** More worker processes than this on one data directory work without a journal. */
export const maxFolders = 64;
const fileNames = ['one.jsonl', 'two.jsonl'] as const;

/**
 * Answers received and not stored yet, which a kill would lose. They are on disk before the next
 * turn of the event loop and removed by the transaction that stores them. Without fsync, because
 * written data outlives the process.
 * Each process has its own locked folder below DATA_DIR. Two files take turns: open entries
 * are written to the other file before a file is emptied.
 */
export class AnswerJournal implements Disposable {
  readonly #lock: DataDirectoryLock;
  readonly #log: Logger;
  readonly #paths: string[];
  readonly #files: number[];
  #current = 0;
  #bytes = 0;
  #isBroken = false;
  /** Lines of this turn of the event loop. */
  #pending = '';

  private constructor(folder: string, { lock, log }: { lock: DataDirectoryLock; log: Logger }) {
    this.#lock = lock;
    this.#log = log;
    this.#paths = fileNames.map((name) => join(folder, name));
    this.#files = this.#paths.map((path) => openSync(path, 'a', 0o600));
  }

  /** In the first folder that no process uses or has left answers in. */
  static take(dataDirectory: string, log: Logger): AnswerJournal | null {
    for (let number = 1; number <= maxFolders; number++) {
      const folder = join(rootOf(dataDirectory), `${number}`);
      const journal = hasEntries(folder) ? null : AnswerJournal.#lockFolder(folder, log);
      if (journal) return journal;
    }
    log.warn('no answer journal could be opened; a kill will repeat more calls');
    return null;
  }

  /** The journals that ended processes have left. */
  static *takeAbandoned(dataDirectory: string, log: Logger): Generator<AnswerJournal> {
    const root = rootOf(dataDirectory);
    mkdirSync(root, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(root)) {
      const folder = join(root, name);
      const journal = hasEntries(folder) ? AnswerJournal.#lockFolder(folder, log) : null;
      if (journal) yield journal;
    }
  }

  static #lockFolder(folder: string, log: Logger): AnswerJournal | null {
    try {
      return new AnswerJournal(folder, { lock: DataDirectoryLock.take(folder), log });
    } catch {
      // Another process holds it, or it is damaged: it stays as it is.
      return null;
    }
  }

  /** What the last process left, without lines that a kill cut off and second lines of a row. */
  read(): JournalEntry[] {
    const lines = this.#paths.flatMap((path) => readFileSync(path, 'utf8').split('\n'));
    const entries = lines.map(parseLine).filter((entry) => entry !== null);
    return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()];
  }

  /** Written together with the other answers of this turn of the event loop. */
  add(entry: JournalEntry): void {
    if (this.#pending === '') setImmediate(() => this.write());
    this.#pending += lineOf(entry);
  }

  /** Removes all entries but these. */
  keepOnly(entries: Iterable<JournalEntry>): void {
    this.#pending = '';
    const last = this.#files[this.#current] as number;
    this.#current = 1 - this.#current;
    const next = this.#files[this.#current] as number;
    this.#bytes = 0;
    this.#isBroken = false;
    this.#try(() => ftruncateSync(next));
    let lines = '';
    for (const entry of entries) lines += lineOf(entry);
    this.#append(lines);
    this.#try(() => ftruncateSync(last));
  }

  [Symbol.dispose](): void {
    this.write();
    for (const file of this.#files) closeSync(file);
    this.#lock[Symbol.dispose]();
  }

  /** Writes the lines of this turn at once. */
  write(): void {
    const lines = this.#pending;
    this.#pending = '';
    this.#append(lines);
  }

  #append(lines: string): void {
    if (lines === '' || this.#isBroken || this.#bytes > maxBytes) return;
    this.#try(() => {
      this.#bytes += writeSync(this.#files[this.#current] as number, lines);
    });
  }

  /** On a full disk the engine works without the journal and tries it after each transaction. */
  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#isBroken = true;
      this.#log.warn({ err: error }, 'the answer journal cannot be written');
    }
  }
}

const rootOf = (dataDirectory: string) => join(dataDirectory, 'journal');

const hasEntries = (folder: string) =>
  fileNames.some((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size);

const lineOf = (entry: JournalEntry) => `${JSON.stringify(entry)}\n`;

/** A result is written after the correction of its row, and replaces it. */
const keyOf = (entry: JournalEntry) =>
  `${entry.batchId} ${entry.lease.retryCount} ${'result' in entry ? entry.result.row : entry.row}`;

function parseLine(line: string): JournalEntry | null {
  try {
    return JSON.parse(line) as JournalEntry;
  } catch {
    return null;
  }
}

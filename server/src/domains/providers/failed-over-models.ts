import type { Logger } from 'pino';
import type { Db } from '../../db/transaction.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ModelSettings } from './port.ts';
import { clearFailedOver, markFailedOver } from './store.ts';

/** A batch asks thousands of times, and operators need one record. */
const markIntervalMilliseconds = 10_000;

interface Parts {
  db: Db;
  clock: Clock;
  log: Logger;
}

/** Records for operators which models are answered by their fallback. No call waits for it. */
export class FailedOverModels {
  readonly #parts: Parts;
  readonly #markedAt = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  mark({ name }: ModelSettings): void {
    const { db, clock } = this.#parts;
    const now = clock.now();
    if (now.getTime() - (this.#markedAt.get(name) ?? 0) < markIntervalMilliseconds) return;
    this.#markedAt.set(name, now.getTime());
    this.#write(markFailedOver(db, name, now));
  }

  clear({ provider_id }: ModelSettings): void {
    this.#markedAt.clear();
    this.#write(clearFailedOver(this.#parts.db, provider_id));
  }

  #write(written: Promise<void>): void {
    written.catch((error) =>
      this.#parts.log.error({ err: error }, 'could not record that a fallback answers'),
    );
  }
}

import type { Logger } from 'pino';
import type { Db } from '../../db/transaction.ts';
import type { ModelFormats } from '../../engine/port.ts';
import { after, type Clock, day } from '../../lib/clock.ts';
import { findFormat, upsertFormat } from './store.ts';

/** A provider changes its models rarely. */
const lifetime = day;
/** Models that were not asked for columns for so long are deleted, so the table stays small. */
const unusedLifetime = 90 * day;

interface Parts {
  db: Db;
  clock: Clock;
  log: Logger;
  provider: string;
}

/** While the database is away nothing is known and nothing is stored: the model is probed again. */
export function storedFormats({ db, clock, log, provider }: Parts): ModelFormats {
  const quietly = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      log.warn({ err: error }, 'what a model makes of response_format was not read or stored');
      return undefined;
    }
  };
  return {
    find: (model) => quietly(findFormat(db, { provider, model, since: ago(clock, lifetime) })),
    async save(model, finding) {
      const found = { provider, model, finding, found_at: clock.now() };
      await quietly(upsertFormat(db, found, ago(clock, unusedLifetime)));
    },
  };
}

const ago = (clock: Clock, milliseconds: number) => after(clock.now(), -milliseconds);

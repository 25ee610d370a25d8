import { day, minute } from './clock.ts';

/** More devices than a person has; a further sign-in ends the least recently used session. */
export const sessionsPerPerson = 100;

/**
 * What a sheet or a batch takes besides its rows: records, and on the disk whole blocks. A row of a
 * batch takes a record, also when it is skipped or fails, which costs no submission.
 */
export const leastBytes = { sheet: 16 * 1024, batch: 4 * 1024, row: 200 } as const;

const unusableCharacters = 500;

/** What is stored of an answer that does not fit its columns: enough to see why. It is free. */
export function cutUnusable(answer: string): string {
  return answer.slice(0, unusableCharacters).toWellFormed();
}

/** Stored to tell a late click why it fails. An unverified account ends with its last link. */
export const expiredLinkRetention = 30 * day;

/** After this time without a call of a model, its provider may be up again. */
export const failedOverLasts = 15 * minute;

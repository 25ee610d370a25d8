import type { Batch, RowsAgain } from '@rowmill/contract';

const key = 'runAgain';

/** A batch whose rows are to run again, on the way from its page to the form for a new one. */
export interface RunAgain {
  userId: string;
  batch: Batch;
  rows: RowsAgain;
  /** The number of these rows. */
  count: number;
}

export function rememberRunAgain(again: RunAgain): void {
  sessionStorage.setItem(key, JSON.stringify(again));
}

/** Only this app writes it, in this tab, just before it is read. */
export function readRunAgain(userId: string): RunAgain | null {
  const again = JSON.parse(sessionStorage.getItem(key) ?? 'null') as RunAgain | null;
  return again?.userId === userId ? again : null;
}

export function forgetRunAgain(): void {
  sessionStorage.removeItem(key);
}

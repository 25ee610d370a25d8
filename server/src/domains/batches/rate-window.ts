import { after, minute, second } from '../../lib/clock.ts';
import type { BatchRow } from './store/batches.ts';

/** The speed is that of the current and the previous window: the last 10 to 20 seconds. */
const windowLength = 10 * second;

/** A rate measured over less than this is noise. */
const shortestMeasurement = second;

/** Starts measuring again when a batch starts or resumes. */
export function newRateWindow(now: Date, rowsDone: number) {
  return { rate_window_start: now, rate_window_rows: rowsDone, previous_window_start: null };
}

/** A window that started before this instant is over. */
export function rateWindowExpiry(now: Date): Date {
  return after(now, -windowLength);
}

/** Null while the batch is not running or has run for less than a second. */
export function rowsPerMinute(
  batch: Pick<
    BatchRow,
    | 'state'
    | 'answered'
    | 'failed'
    | 'skipped'
    | 'rate_window_start'
    | 'rate_window_rows'
    | 'previous_window_start'
    | 'previous_window_rows'
  >,
  now: Date,
): number | null {
  if (batch.state !== 'running') return null;
  const [since, rows] = batch.previous_window_start
    ? [batch.previous_window_start, batch.previous_window_rows]
    : [batch.rate_window_start, batch.rate_window_rows];
  const passed = since ? now.getTime() - since.getTime() : 0;
  if (passed < shortestMeasurement) return null;
  const done = batch.answered + batch.failed + batch.skipped;
  return Math.round(((done - rows) / passed) * minute);
}

import type { Batch, BatchState, PauseReason } from '@rowmill/contract';
import { formatNumber } from './format.ts';

/** What people read about a batch, on every page the same. */
export const stateWords = {
  ready: 'Ready',
  running: 'Running',
  paused: 'Paused',
  stopped: 'Stopped',
  completed: 'Completed',
} as const satisfies Record<BatchState, string>;

interface PauseWords {
  why: string;
  /** What the person can do about it. */
  next: string;
}

export const pauseWords = {
  person: { why: 'Paused by hand.', next: 'Resume whenever you like.' },
  needs_credits: { why: 'The submissions are used up.', next: 'Buy more, then resume. The answers so far stay.' },
  provider_refused: {
    why: 'The provider of the model refuses the requests.',
    next: 'The key or its quota needs attention by those who run this site. Then resume; no row is lost.',
  },
  provider_down: {
    why: 'The provider of the model does not answer.',
    next: 'The batch goes on by itself once there are answers again; Resume tries at once. No row is lost.',
  },
  storage_full: {
    why: 'There is no room left to keep the answers.',
    next: 'Delete batches that you no longer need, then resume.',
  },
} as const satisfies Record<PauseReason, PauseWords>;

type Counts = Pick<Batch, 'rows' | 'answered' | 'failed'>;

export function doneRows({ answered, failed }: Counts): number {
  return answered + failed;
}

export function waitingRows(batch: Counts): number {
  return Math.max(0, batch.rows - doneRows(batch));
}

/** Whole percent, and 100 only when nothing is left. */
export function percentDone(batch: Counts): number {
  if (batch.rows === 0) return 100;
  return Math.min(100, Math.floor((doneRows(batch) / batch.rows) * 100));
}

export function progressWords(batch: Counts): string {
  const { answered, failed, rows } = batch;
  return `${formatNumber(answered)} answered, ${formatNumber(failed)} failed of ${formatNumber(rows)}`;
}

export function rateWords(rowsPerMinute: number | null): string {
  if (rowsPerMinute === null) return 'No rate yet';
  const rounded = rowsPerMinute < 10 ? Math.round(rowsPerMinute * 10) / 10 : Math.round(rowsPerMinute);
  return `${formatNumber(rounded)} rows/min`;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A guess is told as one: coarser the longer it is. */
export function timeLeftWords(seconds: number | null): string {
  if (seconds === null) return 'Time left not known yet';
  if (seconds < 10) return 'a few seconds';
  if (seconds < 50) return `about ${Math.ceil(seconds / 10) * 10} seconds`;
  if (seconds < 1.5 * minute) return 'about a minute';
  if (seconds < 59.5 * minute) return `about ${Math.round(seconds / minute)} minutes`;
  if (seconds >= 1.5 * day) return `about ${Math.round(seconds / day)} days`;
  const tens = Math.round(seconds / (10 * minute)) * 10;
  const minutes = tens % 60;
  const hours = Math.floor(tens / 60);
  return `about ${hours} ${hours === 1 ? 'hour' : 'hours'}${minutes ? ` ${minutes} minutes` : ''}`;
}

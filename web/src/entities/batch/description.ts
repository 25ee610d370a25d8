import type { Batch, Tokens } from '@rowmill/contract';
import { formatNumber, formatTime } from '../../lib/format.ts';
import * as texts from '../../texts/entities.ts';
import type { Balance } from '../credits/balance.ts';

type PausedBatch = Pick<Batch, 'state' | 'pause_reason' | 'pause_detail' | 'needed'>;

/** Why a batch is paused, or null. Buying does not help against the monthly limit. */
export function describePause(batch: PausedBatch) {
  const { state, pause_reason: reason, pause_detail: detail, needed } = batch;
  if (state !== 'paused' || !reason) return null;
  const isLimited = reason === 'needs_credits' && detail !== null;
  const isPartial = reason === 'no_capacity' && needed > 0;
  const { why, next } = texts.pauses[reason];
  return {
    reason,
    why: isLimited ? detail : why,
    next: isLimited ? texts.resumeWithinLimit : isPartial ? texts.coveredByDeadline : next,
    detail: isLimited ? null : detail,
    isLimited,
  };
}

/** The wait that the provider of a running batch asked for, or null. */
export function describeWait({ waits_until: until }: Batch): string | null {
  return until ? texts.waitsUntil(formatTime(until)) : null;
}

type Counts = Pick<Batch, 'rows' | 'answered' | 'failed' | 'skipped'>;

function doneRows({ answered, failed, skipped }: Counts): number {
  return answered + failed + skipped;
}

export function waitingRows(batch: Counts): number {
  return Math.max(0, batch.rows - doneRows(batch));
}

/** What a balance lacks to answer every waiting row, at their highest price, and to pay a debt. */
export function missingSubmissions(
  { needed }: Pick<Batch, 'needed'>,
  { creditsAvailable, debt }: Balance,
): number {
  return Math.max(0, needed - creditsAvailable) + debt;
}

/** Whole percent; 100 only when no row is left. */
export function percentDone(batch: Counts): number {
  if (batch.rows === 0) return 100;
  return Math.min(100, Math.floor((doneRows(batch) / batch.rows) * 100));
}

export function describeProgress(batch: Counts): string {
  const { answered, failed, skipped, rows } = batch;
  return texts.progress({
    answered: formatNumber(answered),
    failed: formatNumber(failed),
    skipped: formatNumber(skipped),
    rows: formatNumber(rows),
  });
}

export function describeRate(rowsPerMinute: number | null): string {
  if (rowsPerMinute === null) return texts.noRateYet;
  const rounded =
    rowsPerMinute < 10 ? Math.round(rowsPerMinute * 10) / 10 : Math.round(rowsPerMinute);
  return texts.rate(formatNumber(rounded));
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** An estimate, so the longer the time, the coarser the words. */
export function describeTimeLeft(seconds: number | null): string {
  if (seconds === null) return texts.timeUnknown;
  if (seconds < 10) return texts.fewSeconds;
  if (seconds < 50) return texts.aboutSeconds(Math.ceil(seconds / 10) * 10);
  if (seconds < 1.5 * minute) return texts.aboutMinute;
  if (seconds < 59.5 * minute) return texts.aboutMinutes(Math.round(seconds / minute));
  if (seconds >= 1.5 * day) return texts.aboutDays(Math.round(seconds / day));
  const tens = Math.round(seconds / (10 * minute)) * 10;
  return texts.aboutHours({ hours: Math.floor(tens / 60), minutes: tens % 60 });
}

export function describeTokens({ input, cached, output, reasoning }: Tokens): string {
  return texts.tokenParts({
    input: formatNumber(input),
    cached: formatNumber(cached),
    output: formatNumber(output),
    reasoning: formatNumber(reasoning),
  });
}

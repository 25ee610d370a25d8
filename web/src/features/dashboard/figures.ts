import type { Batch } from '@rowmill/contract';

type Counted = Pick<Batch, 'answered' | 'failed' | 'charged' | 'started_at' | 'ended_at'>;

export interface DayFigure {
  /** Midnight in the reader's time zone. */
  day: Date;
  answered: number;
  failed: number;
}

/** The rows of each of the last days, oldest first. A batch counts on the day it ended, or started if it still runs. */
export function rowsPerDay(
  batches: readonly Counted[],
  { now, days }: { now: Date; days: number },
): DayFigure[] {
  const figures = Array.from({ length: days }, (_, index) => ({
    day: startOfDay(now, index + 1 - days),
    answered: 0,
    failed: 0,
  }));
  const byDay = new Map(figures.map((figure) => [figure.day.getTime(), figure]));
  for (const batch of batches) {
    const at = countedAt(batch);
    const figure = at && byDay.get(startOfDay(at).getTime());
    if (!figure) continue;
    figure.answered += batch.answered;
    figure.failed += batch.failed;
  }
  return figures;
}

/** The share of done rows that were answered; null when no row is done. */
export function successRate(batches: readonly Counted[]): number | null {
  const answered = batches.reduce((sum, batch) => sum + batch.answered, 0);
  const failed = batches.reduce((sum, batch) => sum + batch.failed, 0);
  return answered + failed === 0 ? null : answered / (answered + failed);
}

/** The submissions charged in the last days, today included. */
export function chargedSince(
  batches: readonly Counted[],
  { now, days }: { now: Date; days: number },
): number {
  const first = startOfDay(now, 1 - days);
  return batches.reduce(
    (sum, batch) => sum + ((countedAt(batch) ?? first) > first ? batch.charged : 0),
    0,
  );
}

/** How many days the balance lasts at the recent rate; null when nothing was charged. */
export function daysLeft(
  balance: number,
  { charged, days }: { charged: number; days: number },
): number | null {
  return charged === 0 ? null : Math.floor((balance * days) / charged);
}

function countedAt({ ended_at, started_at }: Counted): Date | null {
  const instant = ended_at ?? started_at;
  return instant ? new Date(instant) : null;
}

function startOfDay(date: Date, offset = 0): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + offset);
}

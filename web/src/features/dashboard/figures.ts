import type { Batch } from '@rowmill/contract';

type Counted = Pick<Batch, 'answered' | 'failed' | 'charged' | 'started_at' | 'ended_at'>;

export interface DayFigure {
  /** Its first moment, where the reader is. */
  day: Date;
  answered: number;
  failed: number;
}

/** The rows of each of the last days, oldest first. A batch counts on the day when it ended, or began while it is not done. */
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
    const at = momentOf(batch);
    const figure = at && byDay.get(startOfDay(at).getTime());
    if (!figure) continue;
    figure.answered += batch.answered;
    figure.failed += batch.failed;
  }
  return figures;
}

/** Answered rows among those that are done, or null while none is. */
export function successRate(batches: readonly Counted[]): number | null {
  const answered = batches.reduce((sum, batch) => sum + batch.answered, 0);
  const failed = batches.reduce((sum, batch) => sum + batch.failed, 0);
  return answered + failed === 0 ? null : answered / (answered + failed);
}

/** The submissions that the last days have used, today among them. */
export function chargedSince(
  batches: readonly Counted[],
  { now, days }: { now: Date; days: number },
): number {
  const first = startOfDay(now, 1 - days);
  return batches.reduce(
    (sum, batch) => sum + ((momentOf(batch) ?? first) > first ? batch.charged : 0),
    0,
  );
}

/** For how many days the balance lasts at the pace of the last days, or null where there is none. */
export function daysLeft(
  balance: number,
  { charged, days }: { charged: number; days: number },
): number | null {
  return charged === 0 ? null : Math.floor((balance * days) / charged);
}

function momentOf({ ended_at, started_at }: Counted): Date | null {
  const instant = ended_at ?? started_at;
  return instant ? new Date(instant) : null;
}

function startOfDay(moment: Date, later = 0): Date {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + later);
}

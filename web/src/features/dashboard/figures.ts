import { locale } from '../../lib/locale.ts';

/** The starts of the last days in the reader's time zone, oldest first, today included. */
export function startsOfDays(now: Date, days: number): Date[] {
  return Array.from(
    { length: days },
    (_, index) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + index + 1 - days),
  );
}

/**
 * Answered of all done rows, in tenths of a per cent; null when no row is done. 100% and 0% are
 * said only when they are exact.
 */
export function successRate({
  answered,
  failed,
}: {
  answered: number;
  failed: number;
}): number | null {
  const done = answered + failed;
  if (done === 0) return null;
  const thousandths = Math.floor((answered * 1000) / done);
  return (thousandths === 0 && answered > 0 ? 1 : thousandths) / 1000;
}

const leastDays = 3;

/**
 * How many days the balance lasts at the rate of the last days, or of all since the first charge.
 * `charged` ends with today. Null when nothing was charged, and before there are some days.
 */
export function daysLeft(
  balance: number,
  { charged, days }: { charged: readonly number[]; days: number },
): number | null {
  const known = charged.slice(charged.findIndex((day) => day > 0));
  if (known.length < leastDays) return null;
  const recent = known.slice(-days);
  const sum = sumOf(recent);
  return sum === 0 ? null : Math.floor((balance * recent.length) / sum);
}

export function sumOf(days: readonly number[]): number {
  return days.reduce((sum, day) => sum + day, 0);
}

export function formatShare(share: number): string {
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
  }).format(share);
}

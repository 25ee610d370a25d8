import { countLimit, type TaxIncluded } from '@rowmill/contract';
import * as texts from '../texts/lib.ts';
import { locale } from './locale.ts';

/** Numbers, money and times are written in the person's own locale, where it fits the texts. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** From ten thousand on in short, for narrow places: 203K. */
export function formatCompact(value: number): string {
  return value < 10_000
    ? formatNumber(value)
    : new Intl.NumberFormat(locale, { notation: 'compact' }).format(value);
}

const units = [
  ['gigabyte', 1_000_000_000],
  ['megabyte', 1_000_000],
] as const;

/** Kilobytes, megabytes from a million bytes on, gigabytes from a thousand million on. */
export function formatBytes(bytes: number): string {
  const [unit, size] = units.find(([, size]) => bytes >= size) ?? ['kilobyte', 1000];
  const amount = unit === 'kilobyte' ? Math.ceil(bytes / size) : bytes / size;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    maximumFractionDigits: amount < 10 ? 1 : 0,
  }).format(amount);
}

export function formatTime(instant: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  );
}

/** The time of day, below a heading that names the day. */
export function formatClock(instant: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(new Date(instant));
}

/** The time of today, otherwise the day, for a narrow column. */
export function formatShortTime(instant: string): string {
  const date = new Date(instant);
  const now = new Date();
  const isToday = date.toDateString() === now.toDateString();
  const isThisYear = date.getFullYear() === now.getFullYear();
  const style: Intl.DateTimeFormatOptions = isToday
    ? { timeStyle: 'short' }
    : { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) };
  return new Intl.DateTimeFormat(locale, style).format(date);
}

export function formatDay(instant: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(instant));
}

/** A day that the server counts in UTC, such as the first of a month. */
export function formatUtcDay(instant: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(instant));
}

interface Page {
  start: number;
  limit: number;
}

/** The size of a list, which the server does not count to its end when it is long. */
export function formatTotal(total: number, page: Page = { start: 0, limit: 0 }): string {
  const isMore = total === countLimit(page);
  return isMore ? texts.moreThan(formatNumber(total - 1)) : formatNumber(total);
}

interface Range extends Page {
  shown: number;
  total: number;
  /** The server may have stopped counting. */
  isCapped?: boolean;
}

/** Which part of a list is shown, counted from 1. */
export function formatRange({ shown, total, isCapped = false, ...page }: Range): string {
  const all = isCapped ? formatTotal(total, page) : formatNumber(total);
  if (shown === 0) return texts.emptyRange(all);
  return texts.range({
    from: formatNumber(page.start + 1),
    to: formatNumber(page.start + shown),
    total: all,
  });
}

/** The first character of each name, also where a character has two code units. */
export function formatInitials(...names: readonly string[]): string {
  return names.map((name) => [...name.trim()][0]?.toUpperCase() ?? '').join('');
}

/** The tax that every price includes. Null for a seller who charges none. */
export function formatTax({ name, percent }: TaxIncluded): string | null {
  return percent === 0 ? null : texts.taxed({ percent: formatNumber(percent), name });
}

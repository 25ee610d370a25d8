import { locale } from './locale.ts';

/** In a file of its own, because the sign-in page shows prices and no other figures. */
export function formatMoney(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(toMajor(minor, currency));
}

/** Pounds of pence; a currency has no, two or three decimal places. */
export function toMajor(minor: number, currency: string): number {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
}

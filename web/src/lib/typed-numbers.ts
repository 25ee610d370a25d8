/** Numbers as people type them. Anything else is NaN, which the contract refuses. */

/** With Arabic, Persian and full-width digits as plain ones. They begin at multiples of 16. */
const plain = (text: string): string =>
  text.replace(/[٠-٩۰-۹０-９]/g, (digit) => `${digit.charCodeAt(0) % 16}`).trim();

/** Thousands may be separated. */
export function parseWholeNumber(text: string, { signed = false } = {}): number {
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/.exec(plain(text)) ?? [];
  const isNumber = /^\d{1,12}$/.test(digits) || /^\d{1,3}([\s,.'’]\d{3})+$/.test(digits);
  if (!isNumber || (sign && !signed)) return Number.NaN;
  return Number(sign + digits.replace(/\D/g, ''));
}

/** A number below the least one is refused as that, not as no number. */
export const wholeNumberIn = (text = ''): number => parseWholeNumber(text, { signed: true });

/** Null when nothing is typed. */
export const numberIn = (text = ''): number | null =>
  text.trim() === '' ? null : wholeNumberIn(text);

/** An amount of money or a percentage in hundredths: 12.50 becomes 1250. */
export const hundredthsIn = (text: string): number =>
  shifted(/^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(plain(text)), 2);

/** A cost in millionths. An empty field is an unknown cost. */
export const costIn = (text: string): number | null =>
  text.trim() === '' ? null : shifted(/^(\d{1,6})(?:[.,](\d{1,6}))?$/.exec(plain(text)), 6);

/** Moves the decimal point by this many digits, without floating point. */
function shifted(match: RegExpExecArray | null, digits: number): number {
  const [, whole = '', fraction = ''] = match ?? [];
  return match ? Number(whole + fraction.padEnd(digits, '0')) : Number.NaN;
}

/** 1250 becomes 12.50. */
export function inHundredths(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

/** 2000 becomes 20, 1750 becomes 17.5. */
export function asPercent(basisPoints: number): string {
  return String(basisPoints / 100);
}

/** 2500000 becomes 2.50, 75000 becomes 0.075. */
export function asCost(millionths: number | null): string {
  if (millionths === null) return '';
  const [whole = '', fraction = ''] = (millionths / 1e6).toFixed(6).split('.');
  return `${whole}.${fraction.replace(/0{1,4}$/, '')}`;
}

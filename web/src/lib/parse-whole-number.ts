/** A whole number as people type it, thousands set apart or not. Anything else, also nothing, is NaN. */
export function parseWholeNumber(text: string, { signed = false } = {}): number {
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/.exec(text.trim()) ?? [];
  const isNumber = /^\d{1,12}$/.test(digits) || /^\d{1,3}([\s,.'’]\d{3})+$/.test(digits);
  if (!isNumber || (sign && !signed)) return Number.NaN;
  return Number(sign + digits.replace(/\D/g, ''));
}

/** Null when nothing is typed. */
export const numberIn = (text = ''): number | null =>
  text.trim() === '' ? null : parseWholeNumber(text);

/** From here on, giving and taking submissions asks first. */
export const largeAmount = 1_000;

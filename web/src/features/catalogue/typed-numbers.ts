/**
 * Numbers as a person types them. What is none becomes NaN, which no field of the contract takes, so that the refusal
 * stands beside the field. Amounts and percentages are kept in hundredths; no floating point stands between.
 */
export function hundredthsIn(text: string): number {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  return whole === undefined ? Number.NaN : Number(whole + fraction.padEnd(2, '0'));
}

/** Thousands may be set apart; a fraction is not rounded away. */
export function wholeIn(text: string): number {
  const bare = text.trim();
  return /^\d{1,12}$/.test(bare) || /^\d{1,3}([\s,.'’]\d{3})+$/.test(bare)
    ? Number(bare.replace(/\D/g, ''))
    : Number.NaN;
}

/** As it is typed: 1250 is 12.50. */
export function inHundredths(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

/** Without the zeros that a percentage does not need: 2000 is 20, 1750 is 17.5. */
export function asPercent(basisPoints: number): string {
  return String(basisPoints / 100);
}

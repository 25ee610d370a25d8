/** Parses typed numbers. Invalid input becomes NaN, which the contract refuses beside the field. Amounts are hundredths, without floating point. */
export function hundredthsIn(text: string): number {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  return whole === undefined ? Number.NaN : Number(whole + fraction.padEnd(2, '0'));
}

/** 1250 becomes 12.50. */
export function inHundredths(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

/** 2000 becomes 20, 1750 becomes 17.5. */
export function asPercent(basisPoints: number): string {
  return String(basisPoints / 100);
}

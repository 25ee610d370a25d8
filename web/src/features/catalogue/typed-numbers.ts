/** Parses typed numbers. Invalid input becomes NaN, which the contract refuses beside the field. Amounts are hundredths, without floating point. */
export function hundredthsIn(text: string): number {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  return whole === undefined ? Number.NaN : Number(whole + fraction.padEnd(2, '0'));
}

/** Accepts thousands separators; fractions are not rounded away. */
export function wholeIn(text: string): number {
  const bare = text.trim();
  return /^\d{1,12}$/.test(bare) || /^\d{1,3}([\s,.'’]\d{3})+$/.test(bare)
    ? Number(bare.replace(/\D/g, ''))
    : Number.NaN;
}

/** 1250 becomes 12.50. */
export function inHundredths(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

/** 2000 becomes 20, 1750 becomes 17.5. */
export function asPercent(basisPoints: number): string {
  return String(basisPoints / 100);
}

/** Costs as people type them, in millionths. Nothing is an unknown cost; anything else becomes NaN, which the contract refuses. */
export function costIn(text: string): number | null {
  if (text.trim() === '') return null;
  const [, whole, fraction = ''] = /^(\d{1,6})(?:[.,](\d{1,6}))?$/.exec(text.trim()) ?? [];
  return whole === undefined ? Number.NaN : Number(whole + fraction.padEnd(6, '0'));
}

/** 2500000 becomes 2.50, 75000 becomes 0.075. */
export function asCost(millionths: number | null): string {
  if (millionths === null) return '';
  const [whole = '', fraction = ''] = (millionths / 1e6).toFixed(6).split('.');
  return `${whole}.${fraction.replace(/0{1,4}$/, '')}`;
}

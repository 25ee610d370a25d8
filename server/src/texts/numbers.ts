/** 1234567 as "1,234,567". */
export function formatNumber(count: number): string {
  return count.toLocaleString('en');
}

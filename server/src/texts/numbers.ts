/** 1234567 as "1,234,567". */
export function formatNumber(count: number): string {
  return count.toLocaleString('en');
}

/** "1 submission", "1,234 submissions". */
export function formatSubmissions(count: number): string {
  return `${formatNumber(count)} ${Math.abs(count) === 1 ? 'submission' : 'submissions'}`;
}

const units = [
  ['GB', 1_000_000_000],
  ['MB', 1_000_000],
] as const;

/** 5000000000 as "5 GB", as pages show it; less than a million bytes in kB. */
export function formatBytes(bytes: number): string {
  const [unit, size] = units.find(([, size]) => bytes >= size) ?? ['kB', 1_000];
  const amount = unit === 'kB' ? Math.ceil(bytes / size) : bytes / size;
  const maximumFractionDigits = amount < 10 ? 1 : 0;
  return `${amount.toLocaleString('en', { maximumFractionDigits })} ${unit}`;
}

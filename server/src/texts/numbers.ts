/** 1234567 as "1,234,567". */
export function formatNumber(count: number): string {
  return count.toLocaleString('en');
}

/** "1 submission", "1,234 submissions". */
export function formatSubmissions(count: number): string {
  return `${formatNumber(count)} ${Math.abs(count) === 1 ? 'submission' : 'submissions'}`;
}

/** 5000000000 as "5 GB"; small amounts in MB. */
export function formatBytes(bytes: number): string {
  const [unit, size] = bytes < 1_000_000_000 ? ['MB', 1_000_000] : ['GB', 1_000_000_000];
  return `${(bytes / size).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}

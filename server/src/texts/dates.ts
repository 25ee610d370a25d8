/** The day of a moment, in UTC, as "2 May 2026". */
export function formatDay(at: Date): string {
  return at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

/** "08:00 UTC". */
export function formatUtcTime(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`;
}

/** "20 February", for a day within a year. */
export function formatDayAndMonth(at: Date): string {
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
}

/** Comes with the context, so that tests can change the time. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

const { timeOrigin } = performance;

/** Epoch milliseconds that never jump, for waits and rates. Stored times are wall time. */
export const monotonicNow = (): number => timeOrigin + performance.now();

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export function after(start: Date, milliseconds: number): Date {
  return new Date(start.getTime() + milliseconds);
}

/** Midnight UTC on the first of this month, or of a month before or after it. */
export function startOfMonth(now: Date, monthsAway = 0): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsAway));
}

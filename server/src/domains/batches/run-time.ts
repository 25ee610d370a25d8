import { second } from '../../lib/clock.ts';
import type { BatchRow } from './store/batches.ts';

/** From the start of a batch to its end, without the time before retries. Null before its end. */
export function runSeconds({ started_at, ended_at, idle_seconds }: BatchRow): number | null {
  if (!started_at || !ended_at) return null;
  return Math.max(0, secondsBetween(started_at, ended_at) - idle_seconds);
}

export const secondsBetween = (from: Date, to: Date) =>
  Math.round((to.getTime() - from.getTime()) / second);

import * as texts from '../../../texts/billing.ts';

const pauseSeconds = [1, 2, 3, 5, 8, 13, 20, 30] as const;
const longestSeconds = 60;

/** Pause before the next poll, after a number of undecided polls. */
export function pollDelay(polls: number): number {
  return (pauseSeconds[Math.max(0, polls - 1)] ?? longestSeconds) * 1000;
}

/** Messages for a waiting person: it takes a moment, and later that they can leave. */
export function waitingMessage(polls: number): string {
  if (polls <= 2) return texts.waitingFirst;
  if (polls <= 5) return texts.waitingLonger;
  return texts.waitingLong;
}

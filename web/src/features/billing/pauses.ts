import * as texts from '../../texts/billing.ts';

const pauseSeconds = [1, 2, 3, 5, 8, 13, 20, 30] as const;
const longestSeconds = 60;

/** How long to wait before asking once more, after so many answers that decided nothing. */
export function pauseAfter(looks: number): number {
  return (pauseSeconds[Math.max(0, looks - 1)] ?? longestSeconds) * 1000;
}

/** What to tell somebody who waits: first that it takes a moment, later that nobody needs to wait. */
export function waitingWords(looks: number): string {
  if (looks <= 2) return texts.waitingFirst;
  if (looks <= 5) return texts.waitingLonger;
  return texts.waitingLong;
}

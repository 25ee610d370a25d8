import * as texts from '../../texts/identity.ts';

/** Whole seconds until a time, rounded up so that nothing unlocks early. Both in milliseconds. */
export function secondsUntil(end: number, now: number): number {
  return Math.max(0, Math.ceil((end - now) / 1000));
}

export function resendWords(secondsLeft: number, idle: string): string {
  return secondsLeft === 0 ? idle : texts.sendAgainIn(secondsLeft);
}

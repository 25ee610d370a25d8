import { setImmediate } from 'node:timers/promises';

/** The longest that a loop holds up other requests. */
export const yieldMilliseconds = 5;

/** A process has one event loop. This ends when the loops that paused before had their turns. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * For long loops: gives the event loop a turn whenever this much time has passed since the last
 * one. Only one of all paused loops continues in each turn, so that many of them hold up other
 * requests no longer than one.
 */
export function pauseEvery(milliseconds: number): () => Promise<void> | undefined {
  let pausedAt = performance.now();
  return () => {
    if (performance.now() - pausedAt < milliseconds) return undefined;
    lastTurn = lastTurn.then(() => setImmediate());
    return lastTurn.then(() => {
      pausedAt = performance.now();
    });
  };
}

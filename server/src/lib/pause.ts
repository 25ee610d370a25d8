import { setImmediate } from 'node:timers/promises';

/** The longest that a loop holds up other requests. */
export const yieldMilliseconds = 10;

/** For long loops: gives the event loop a turn whenever this much time has passed since the last one. */
export function pauseEvery(milliseconds: number): () => Promise<void> | undefined {
  let pausedAt = performance.now();
  return () => {
    if (performance.now() - pausedAt < milliseconds) return undefined;
    return setImmediate().then(() => {
      pausedAt = performance.now();
    });
  };
}

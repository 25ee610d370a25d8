import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { pauseEvery } from './event-loop.ts';

it('continues one of many long loops in each turn of the event loop', async () => {
  let steps = 0;
  const loops = Array.from({ length: 5 }, async () => {
    const pause = pauseEvery(0);
    for (let step = 0; step < 4; step++) {
      await pause();
      steps++;
    }
  });
  let most = 0;
  while (steps < 20) {
    const before = steps;
    await setImmediate();
    most = Math.max(most, steps - before);
  }
  await Promise.all(loops);
  expect(most).toBe(1);
});

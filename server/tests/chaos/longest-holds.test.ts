import { once } from 'node:events';
import { expect, it } from 'vitest';
import { longestTurn, startChild } from '../../harness/processes.ts';
import { longestHolds } from './longest-holds.ts';

/** Works for 90 ms of CPU time, in as many turns as it is told. */
const worker = `
  import { setImmediate as turn } from 'node:timers/promises';
  process.on('message', async ({ turns }) => {
    if (!turns) return;
    for (let done = 0; done < turns; done++) {
      const before = process.threadCpuUsage();
      for (let used = 0; used < 90_000 / turns;) {
        const { user, system } = process.threadCpuUsage(before);
        used = user + system;
      }
      await turn();
    }
    process.send('done');
  });
  setInterval(() => {}, 1_000);
  console.log('ready');`;

it.each([
  { turns: 1, isHeld: true },
  { turns: 9, isHeld: false },
])('work of 90 ms in $turns turns is a hold of 50 ms: $isHeld', async ({ turns, isHeld }) => {
  await using child = await startChild(['--input-type=module', '-e', worker], {}, /(ready)/, {
    reportsTurns: true,
  });
  await longestTurn(child);
  child.process.send({ turns });
  await once(child.process, 'message');
  expect((await longestTurn(child)) > 50).toBe(isHeld);
});

it('no call holds the event loop for more than 50 ms of CPU time', {
  // Runs the product as its own process.
  timeout: 600_000,
}, async () => {
  expect(await longestHolds({ isShort: true })).toEqual([]);
});

import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a process before the product: tells its parent how much CPU time the longest turn of
 * the event loop took since the last question. Other work of the machine does not count.
 */
const everyMilliseconds = 1;

if (isMainThread) {
  let longest = 0;
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.threadCpuUsage();
  }, everyMilliseconds).unref();
  process.on('message', async (message) => {
    if (message !== 'longest turn') return;
    // The turn that is ending counts too.
    await wait(2 * everyMilliseconds);
    process.send?.(longest / 1_000);
    longest = 0;
  });
  process.channel?.unref();
}

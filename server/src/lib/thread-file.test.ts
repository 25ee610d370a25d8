import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';

const opensAgainAndAgain = `
  const { parentPort, workerData: { module, path } } = require('node:worker_threads');
  import(module).then(async ({ ThreadFile }) => {
    parentPort.postMessage('begins');
    for (;;) {
      using file = new ThreadFile(path, 'r');
      await file.read(Buffer.alloc(1), 0);
    }
  });`;

it.runIf(existsSync('/proc/self/fd'))('leaves nothing open when its thread is ended', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'rowmill-thread-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'file');
  await writeFile(path, 'x');
  const module = new URL('./thread-file.ts', import.meta.url).href;
  for (let round = 0; round < 10; round++)
    await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const workerData = { module, path };
        const thread = new Worker(opensAgainAndAgain, { eval: true, workerData });
        await new Promise((begins) => thread.once('message', begins));
        await wait(index);
        await thread.terminate();
      }),
    );
  const open = readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    } catch {
      return false;
    }
  });
  expect(open).toEqual([]);
});

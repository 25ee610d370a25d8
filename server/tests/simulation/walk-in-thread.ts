import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type Share, simulate } from './simulate.ts';
import { openSmallWorld } from './small-world.ts';

/** Says when its world is open, walks when it is told to, and tells how that ended. */
const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');

await using world = await openSmallWorld({ kind: 'embedded', directory: null }, { isQuick: true });
port.postMessage('ready');
await once(port, 'message');
port.postMessage(
  await simulate(world, {
    ...(workerData as Share),
    say: (line) => process.stderr.write(`${line}\n`),
  }),
);

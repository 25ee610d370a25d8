import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type Share, simulate } from './simulate.ts';
import { openSimulatedApp } from './simulated-app.ts';

/** Reports when its app is ready, waits for the start and reports the result. */
const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');

await using app = await openSimulatedApp({ kind: 'embedded', directory: null }, { isQuick: true });
port.postMessage('ready');
await once(port, 'message');
port.postMessage(
  await simulate(app, {
    ...(workerData as Share),
    say: (line) => process.stderr.write(`${line}\n`),
  }),
);

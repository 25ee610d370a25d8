import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { FromWorker, ToWorker } from './embedded-messages.ts';
import { PreparedStatements } from './prepared-statements.ts';

/**
 * PGlite in a thread of its own: in the main thread it holds the event loop for as long as a statement runs.
 * Messages are answered in the order in which they came.
 */
const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');

/** After a checkpoint the pieces of the log are used again, so that its next ones need no room of their own. */
const logParams = ['-c', 'min_wal_size=48MB', '-c', 'max_wal_size=64MB'];
/**
 * The usual 128 MB of buffers are filled once and then held for ever. The operating system keeps the same pages, and gives
 * them back when somebody needs the memory.
 */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=24MB', ...logParams];

const database = await open(workerData as { directory: string | null });
const statements = new PreparedStatements(database);
const subscriptions = new Map<string, () => Promise<void>>();
port.on('message', (message: ToWorker) => void answer(message));
// A message that cannot be read has no number to answer; whoever waits for it must not wait for ever.
port.on('messageerror', () => process.exit(1));
post({ kind: 'ready' });

/** A database that is killed while it is being made must not be found half made: it gets its name when it is whole. */
async function open({ directory }: { directory: string | null }): Promise<PGlite> {
  if (directory === null) return PGlite.create({ startParams });
  if (!existsSync(directory)) {
    const unfinished = `${directory}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    const fresh = await PGlite.create({ dataDir: unfinished, startParams });
    await fresh.close();
    await rename(unfinished, directory);
  }
  return PGlite.create({ dataDir: directory, startParams });
}

async function answer(message: ToWorker): Promise<void> {
  try {
    post({ kind: 'done', id: message.id, result: await run(message) });
  } catch (error) {
    post({ kind: 'failed', id: message.id, error: describe(error) });
  }
  if (message.kind === 'close') process.exit(0);
}

async function run(message: ToWorker) {
  switch (message.kind) {
    case 'query':
      return statements.run(message.text, message.values, message);
    case 'script':
      return statements.runScript(message.text);
    case 'listen': {
      const { channel } = message;
      subscriptions.set(
        channel,
        await database.listen(channel, (payload) => post({ kind: 'notified', channel, payload })),
      );
      return null;
    }
    case 'unlisten':
      await subscriptions.get(message.channel)?.();
      subscriptions.delete(message.channel);
      return null;
    case 'close':
      await database.close();
      return null;
  }
}

function describe(error: unknown): Record<string, unknown> {
  const { message, code, detail, constraint, table, column, severity } = error as Record<
    string,
    unknown
  >;
  return { message, code, detail, constraint, table, column, severity };
}

function post(message: FromWorker): void {
  port?.postMessage(message);
}

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ApiClient, startBatch } from '../../harness/api-client.ts';
import { hour } from '../../src/lib/clock.ts';
import { pass } from './totals.ts';

/** A clock that steps back 2 h may stop rows, jobs and calls for no longer. */
export const pauseAtMostSeconds = 5;
export const stepBack = -2 * hour;
/** Without a stored row or an email for this long, they have stopped: only the 2 h would end it. */
const stoppedMilliseconds = 60_000;
/** Of ten slices, which are queued at the start; few are leased when the clock steps. */
const rows = 5_000;
const module = pathToFileURL(join(import.meta.dirname, '../../harness/stepped-clock.ts'));

/** The wall clock of all processes that are started with its settings. */
export class SteppedClock {
  readonly #file: string;
  readonly env: Record<string, string>;

  constructor(directory: string) {
    this.#file = join(directory, 'clock');
    this.env = { NODE_OPTIONS: `--import=${module}`, STEPPED_CLOCK_FILE: this.#file };
    this.set(0);
  }

  set(milliseconds: number): void {
    writeFileSync(this.#file, `${milliseconds}`);
  }
}

interface Watched {
  client: ApiClient;
  /** Of the product's processes. */
  directory: string;
  /** Asks for an email and steps the clocks back, as far as possible before a job is begun. */
  step(askForEmail: () => Promise<unknown>): Promise<unknown>;
}

export interface Pause {
  /** The longest time, by a steady clock, until another row was stored or the email was sent. */
  pauseSeconds: number;
  /** Rows or jobs had stopped when the watch ended. */
  neverWentOn: boolean;
}

export async function pauseAfterStep({ client, directory, step }: Watched): Promise<Pause> {
  const id = await startBatch(client, rows);
  const batchOf = async () => (await client.call('getBatch', { id })).batch;
  while ((await batchOf()).answered === 0) await pass(20);
  const outbox = join(directory, 'outbox');
  const countEmails = () => (existsSync(outbox) ? readdirSync(outbox).length : 0);
  const emails = countEmails();
  await step(() => client.call('sendResetLinkEmail', { email: 'client@demo.test' }));
  const start = performance.now();
  const last = { rows: 0, at: start };
  let [longest, isRunning, isWaiting] = [0, true, true];
  while ((isRunning || isWaiting) && performance.now() < last.at + stoppedMilliseconds) {
    await pass(50);
    const { answered, state } = await batchOf();
    if (isRunning) longest = Math.max(longest, performance.now() - last.at);
    if (isWaiting) longest = Math.max(longest, performance.now() - start);
    if (answered !== last.rows) Object.assign(last, { rows: answered, at: performance.now() });
    isRunning = state === 'running';
    isWaiting = countEmails() === emails;
  }
  return { pauseSeconds: longest / 1_000, neverWentOn: isRunning || isWaiting };
}

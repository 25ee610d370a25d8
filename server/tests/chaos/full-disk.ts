import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Batch, RefusalBody } from '@rowmill/contract';
import { type ApiClient, signInDemo, startBatch } from '../../harness/api-client.ts';
import {
  type Child,
  callsAt,
  prepareData,
  startFakeChatProcess,
  startProduct,
  startUntilExit,
} from '../../harness/processes.ts';
import { embedded, pass, readTotals, seconds } from './totals.ts';

const megabyte = 1_000_000;
/** Enough for the data directory and normal operation. */
const diskMegabytes = 256;
/** Below the 64 MB at which batches pause. */
const leftMegabytes = 40;

interface SmallDisk {
  directory: string;
  /** A file that takes up space. */
  ballast: string;
  rows: number;
  chat: Child;
  env: Record<string, string>;
  start: () => Promise<Child>;
}

/** A disk fills up while a batch runs, and is emptied again. */
export function fullDisk({ rows }: { rows: number }): Promise<string> {
  return onSmallDisk(rows, async (disk) => {
    await using server = await disk.start();
    const client = await signInDemo(server.url);
    const id = await startBatch(client, rows);
    fillUntil(disk, leftMegabytes);
    const filled = performance.now();
    const paused = await whenNotRunning(client, id);
    const pausedAfter = performance.now() - filled;
    rmSync(disk.ballast);
    const end = await describeEnd(disk, server, id);
    return (
      `a disk with ${leftMegabytes} MB left: ${paused.state} (${paused.pause_reason}) ` +
      `after ${seconds(pausedAfter)} s; ${end}`
    );
  });
}

/** Uploads that do not fit on the disk, with and without a length in the request. */
export function importsOnFullDisk({ rows }: { rows: number }): Promise<string> {
  return onSmallDisk(rows, async (disk) => {
    await using server = await disk.start();
    const client = await signInDemo(server.url);
    fillUntil(disk, leftMegabytes + 60);
    const withLength = await describeRefusal(disk, client.send(sheetOfMegabytes(80)));
    const chunked = await describeRefusal(
      disk,
      client.send(sheetOfMegabytes(80), { hasLength: false }),
    );
    fillUntil(disk, leftMegabytes);
    const small = await describeRefusal(disk, client.send(sheetOfMegabytes(1)));
    const { status } = await fetch(new URL('/health/ready', server.url));
    rmSync(disk.ballast);
    const id = await startBatch(client, rows);
    const end = await describeEnd(disk, server, id);
    return (
      `a sheet of 80 MB on a disk with 100 MB left: ${withLength}; chunked: ${chunked}; ` +
      `1 MB on a disk with ${leftMegabytes} MB left: ${small}; ready: ${status}; ${end}`
    );
  });
}

/** Another program takes all space at once while a batch runs. */
export function suddenlyFullDisk({ rows }: { rows: number }): Promise<string> {
  return onSmallDisk(rows, async (disk) => {
    await using first = await disk.start();
    const client = await signInDemo(first.url);
    const id = await startBatch(client, rows);
    while ((await client.call('getBatch', { id })).batch.answered < rows / 3) await pass(20);
    const exit = once(first.process, 'exit');
    const filled = performance.now();
    fillCompletely(disk);
    const [exitCode] = await exit;
    const exitAfter = performance.now() - filled;
    const { code, message } = startUntilExit(disk.env, disk.directory);
    rmSync(disk.ballast);
    await using next = await disk.start();
    const end = await describeEnd(disk, next, id);
    return (
      `no space left from one moment to the next: exit code ${exitCode} after ` +
      `${seconds(exitAfter)} s; a start exits with code ${code} (“${message}”); ${end}`
    );
  });
}

/** Mounts a small disk, which needs Linux and root. Elsewhere the check is skipped. */
async function onSmallDisk(rows: number, act: (disk: SmallDisk) => Promise<string>) {
  const mountPoint = mkdtempSync(join(tmpdir(), 'rowmill-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', mountPoint];
  try {
    execFileSync('/bin/mount', options, { stdio: 'ignore' });
  } catch {
    return 'SKIPPED: mounting a small disk needs Linux and root';
  }
  try {
    await using chat = await startFakeChatProcess('--latency', '100');
    const prepared = await prepareData(rows);
    const directory = join(mountPoint, 'data');
    cpSync(prepared, directory, { recursive: true });
    rmSync(prepared, { recursive: true });
    const env = { LOG_LEVEL: 'silent', CHAT_BASE_URL: chat.url };
    const start = () => startProduct(env, directory, { keeps: true });
    return await act({ directory, ballast: join(mountPoint, 'ballast'), rows, chat, env, start });
  } finally {
    execFileSync('/bin/umount', ['-l', mountPoint]);
    rmSync(mountPoint, { recursive: true, force: true });
  }
}

function fillUntil({ directory, ballast }: SmallDisk, megabytesLeft: number): void {
  rmSync(ballast, { force: true });
  const { bavail, bsize } = statfsSync(directory);
  const free = Math.floor((bavail * bsize) / megabyte);
  writeFileSync(ballast, Buffer.alloc((free - megabytesLeft) * megabyte));
}

function fillCompletely({ ballast }: SmallDisk): void {
  const piece = Buffer.alloc(16 * megabyte);
  try {
    for (;;) appendFileSync(ballast, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

async function whenNotRunning(client: ApiClient, id: string): Promise<Batch> {
  for (;;) {
    const { batch } = await client.call('getBatch', { id });
    if (batch.state !== 'running') return batch;
  }
}

async function describeRefusal(
  { directory }: SmallDisk,
  upload: Promise<Response>,
): Promise<string> {
  const response = await upload;
  const { code, message } = (await response.json()) as RefusalBody;
  const left = readdirSync(join(directory, 'files/unfinished')).length;
  return `${response.status} ${code} (“${message}”), temporary files left ${left}`;
}

/** Waits for the end of the batch, stops the server and counts everything. */
async function describeEnd(
  { directory, rows, chat }: SmallDisk,
  server: Child,
  id: string,
): Promise<string> {
  const client = await signInDemo(server.url);
  const { answered, failed, charged } = await client.whenEnded(id);
  await server[Symbol.asyncDispose]();
  const prompts = (await callsAt(chat.url)).map(({ prompt }) => prompt);
  const { spent, brokenInvariants } = await readTotals(embedded(directory));
  return (
    `with space again answered ${answered} of ${rows}, failed ${failed}, charged ${charged}, ` +
    `spent ${spent}; repeated calls ${prompts.length - new Set(prompts).size}; ` +
    `failed ledger checks ${brokenInvariants.length}`
  );
}

function sheetOfMegabytes(megabytes: number): Blob {
  const lines = `${'x'.repeat(999)}\n`.repeat(1_000);
  return new Blob(['Row\n', ...Array.from({ length: megabytes }, () => lines)]);
}

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
  kill9,
  prepareData,
  startFakeChatProcess,
  startProduct,
  startUntilExit,
} from '../../harness/processes.ts';
import {
  broken,
  type CheckResult,
  embedded,
  inTime,
  pass,
  promisesOf,
  readTotals,
  repeatedIn,
  seconds,
} from './totals.ts';

const megabyte = 1_000_000;
/** Enough for the data directory and normal operation. */
const diskMegabytes = 256;
/** Below the 64 MB at which batches pause. */
const leftMegabytes = 40;
const concurrency = 64;
const latencyMilliseconds = 100;
const exitsWithinSeconds = 2;
/** Until the exit, answers can be stored neither in the database nor in the journal. */
const lostAnswersAtMost = (concurrency * exitsWithinSeconds * 1_000) / latencyMilliseconds;

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
export function fullDisk({ rows }: { rows: number }): Promise<CheckResult> {
  return onSmallDisk(rows, async (disk) => {
    await using server = await disk.start();
    const client = await signInDemo(server.url);
    const id = await startBatch(client, rows);
    fillUntil(disk, leftMegabytes);
    const filled = performance.now();
    const paused = await inTime('the pause of the batch', whenNotRunning(client, id));
    const pausedAfter = performance.now() - filled;
    rmSync(disk.ballast);
    const end = await endOf(disk, { server, id });
    return {
      line:
        `a disk with ${leftMegabytes} MB left: ${paused.state} (${paused.pause_reason}) ` +
        `after ${seconds(pausedAfter)} s; ${end.line}`,
      misses: [
        ...broken({ 'the batch pauses (storage_full)': paused.pause_reason === 'storage_full' }),
        ...end.misses,
      ],
    };
  });
}

/** Uploads that do not fit on the disk, with and without a length in the request. */
export function importsOnFullDisk({ rows }: { rows: number }): Promise<CheckResult> {
  return onSmallDisk(rows, async (disk) => {
    await using server = await disk.start();
    const client = await signInDemo(server.url);
    fillUntil(disk, leftMegabytes + 60);
    const withLength = await refusalOf(disk, client.send(sheetOfMegabytes(80)));
    const chunked = await refusalOf(disk, client.send(sheetOfMegabytes(80), { hasLength: false }));
    fillUntil(disk, leftMegabytes);
    const small = await refusalOf(disk, client.send(sheetOfMegabytes(1)));
    const { status } = await fetch(new URL('/health/ready', server.url));
    rmSync(disk.ballast);
    const id = await startBatch(client, rows);
    const end = await endOf(disk, { server, id });
    const refusals = [withLength, chunked, small];
    return {
      line:
        `a sheet of 80 MB on a disk with 100 MB left: ${withLength.line}; ` +
        `chunked: ${chunked.line}; 1 MB on a disk with ${leftMegabytes} MB left: ` +
        `${small.line}; ready: ${status}; ${end.line}`,
      misses: [...refusals.flatMap(({ misses }) => misses), ...end.misses],
    };
  });
}

/** Another program takes all space at once while a batch runs. */
export function suddenlyFullDisk({ rows }: { rows: number }): Promise<CheckResult> {
  return onSmallDisk(rows, async (disk) => {
    await using first = await disk.start();
    const client = await signInDemo(first.url);
    const id = await startBatch(client, rows);
    await inTime('a third of the answers', whenAnswered(client, id, rows / 3));
    const exit = once(first.process, 'exit');
    const filled = performance.now();
    fillCompletely(disk);
    const [exitCode] = await inTime('the exit', exit).finally(() => kill9(first));
    const exitAfter = performance.now() - filled;
    const { code, message } = startUntilExit(disk.env, disk.directory);
    rmSync(disk.ballast);
    await using next = await disk.start();
    const end = await endOf(disk, { server: next, id, repeatedAtMost: lostAnswersAtMost });
    return {
      line:
        `no space left from one moment to the next: exit code ${exitCode} after ` +
        `${seconds(exitAfter)} s; a start exits with code ${code} (“${message}”); ${end.line}`,
      misses: [
        ...broken({
          'the exit code is 3': exitCode === 3,
          [`it exits within ${exitsWithinSeconds} s`]: exitAfter <= exitsWithinSeconds * 1_000,
          'a start exits with code 3 and one line': code === 3 && /^[^\n]+\.$/.test(message),
        }),
        ...end.misses,
      ],
    };
  });
}

/** Mounts a small disk, which needs Linux and root. Elsewhere the check is skipped. */
async function onSmallDisk(
  rows: number,
  act: (disk: SmallDisk) => Promise<CheckResult>,
): Promise<CheckResult> {
  const mountPoint = mkdtempSync(join(tmpdir(), 'rowmill-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', mountPoint];
  try {
    execFileSync('/bin/mount', options, { stdio: 'ignore' });
  } catch {
    return { line: 'SKIPPED: mounting a small disk needs Linux and root', misses: [] };
  }
  try {
    await using chat = await startFakeChatProcess('--latency', `${latencyMilliseconds}`);
    const prepared = await prepareData();
    const directory = join(mountPoint, 'data');
    cpSync(prepared, directory, { recursive: true });
    rmSync(prepared, { recursive: true });
    const env = {
      LOG_LEVEL: 'silent',
      CHAT_BASE_URL: chat.url,
      CHAT_CONCURRENCY: `${concurrency}`,
    };
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

async function whenAnswered(client: ApiClient, id: string, rows: number): Promise<void> {
  while ((await client.call('getBatch', { id })).batch.answered < rows) await pass(20);
}

async function refusalOf(
  { directory }: SmallDisk,
  upload: Promise<Response>,
): Promise<CheckResult> {
  const response = await inTime('the answer to an upload', upload);
  const { code, message } = (await response.json()) as RefusalBody;
  const left = readdirSync(join(directory, 'files/unfinished')).length;
  return {
    line: `${response.status} ${code} (“${message}”), temporary files left ${left}`,
    misses: broken({
      'a sheet that does not fit is refused': response.status === 507 && code === 'storage_full',
      'no temporary file is left': left === 0,
    }),
  };
}

/** Waits for the end of the batch, stops the server and counts everything. */
async function endOf(
  { directory, rows, chat }: SmallDisk,
  { server, id, repeatedAtMost = 0 }: { server: Child; id: string; repeatedAtMost?: number },
): Promise<CheckResult> {
  const client = await signInDemo(server.url);
  const ended = await inTime('the end of the batch', client.whenEnded(id));
  await server[Symbol.asyncDispose]();
  const prompts = (await callsAt(chat.url)).map(({ prompt }) => prompt);
  const { spent, brokenInvariants } = await readTotals(embedded(directory));
  const { answered, failed, charged } = ended;
  return {
    line:
      `with space again answered ${answered} of ${rows}, failed ${failed}, charged ${charged}, ` +
      `spent ${spent}; repeated calls ${repeatedIn(prompts)}; ` +
      `failed ledger checks ${brokenInvariants.length}`,
    misses: broken(
      promisesOf(
        { rows, answered, failed, charged, spent, prompts, brokenInvariants },
        { repeatedAtMost },
      ),
    ),
  };
}

function sheetOfMegabytes(megabytes: number): Blob {
  const lines = `${'x'.repeat(999)}\n`.repeat(1_000);
  return new Blob(['Row\n', ...Array.from({ length: megabytes }, () => lines)]);
}

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
import {
  type Caller,
  type Child,
  callsAt,
  clientAt,
  prepareData,
  startBatch,
  startFakeChatProcess,
  startInVain,
  startProduct,
} from '../../harness/product-process.ts';
import { readBooks } from './repeated-kills.ts';

const commands = { mount: '/bin/mount', unmount: '/bin/umount' };
const megabyte = 1_000_000;
/** The data directory, and room enough for the product to be content. */
const diskMegabytes = 256;
const leftMegabytes = 40;

/** A small disk of its own, with the product's data on it and a provider beside it. */
interface Scene {
  directory: string;
  ballast: string;
  rows: number;
  chat: Child;
  env: Record<string, string>;
  start: () => Promise<Child>;
}

/** A10: a small disk gets full while a batch runs, and is emptied again. */
export function fullDisk({ rows }: { rows: number }): Promise<string> {
  return onSmallDisk(rows, async (scene) => {
    await using server = await scene.start();
    const client = await clientAt(server.url);
    const id = await startBatch(client, rows);
    leave(scene, leftMegabytes);
    const filled = performance.now();
    const paused = await whenNotRunning(client, id);
    const pausedAfter = performance.now() - filled;
    rmSync(scene.ballast);
    const end = await describeEnd(scene, server, id);
    return `a disk with ${leftMegabytes} MB left: ${paused.state} (${paused.pause_reason}) after ${seconds(pausedAfter)} s; ${end}`;
  });
}

/** A10: sheets come that the disk has no room for, with and without saying how long they are. */
export function importsOnFullDisk({ rows }: { rows: number }): Promise<string> {
  return onSmallDisk(rows, async (scene) => {
    await using server = await scene.start();
    const client = await clientAt(server.url);
    leave(scene, leftMegabytes + 60);
    const told = await refused(scene, client.send(sheetOfMegabytes(80)));
    const untold = await refused(scene, client.send(sheetOfMegabytes(80), { saysLength: false }));
    leave(scene, leftMegabytes);
    const little = await refused(scene, client.send(sheetOfMegabytes(1)));
    const { status } = await fetch(new URL('/health/ready', server.url));
    rmSync(scene.ballast);
    const id = await startBatch(client, rows);
    const end = await describeEnd(scene, server, id);
    return (
      `a sheet of 80 MB for a disk with 100 MB left: ${told}; when it does not say its length: ${untold}; ` +
      `one of 1 MB for a disk with ${leftMegabytes} MB left: ${little}; ready: ${status}; ${end}`
    );
  });
}

/** A10: somebody else takes all room in one moment, while a batch runs. */
export function suddenlyFullDisk({ rows }: { rows: number }): Promise<string> {
  return onSmallDisk(rows, async (scene) => {
    await using first = await scene.start();
    const client = await clientAt(first.url);
    const id = await startBatch(client, rows);
    while ((await client.call('getBatch', { id })).batch.answered < rows / 3) await pass(20);
    const end = once(first.process, 'exit');
    const filled = performance.now();
    takeAll(scene);
    const [endCode] = await end;
    const endedAfter = performance.now() - filled;
    const { code, words } = startInVain(scene.env, scene.directory);
    rmSync(scene.ballast);
    await using next = await scene.start();
    const books = await describeEnd(scene, next, id);
    return (
      `nothing left on the disk, from one moment to the next: exit code ${endCode} after ${seconds(endedAfter)} s; ` +
      `a start ends with code ${code} (“${words}”); ${books}`
    );
  });
}

/** Says so where no such disk can be had. */
async function onSmallDisk(rows: number, act: (scene: Scene) => Promise<string>): Promise<string> {
  const disk = mkdtempSync(join(tmpdir(), 'rowmill-disk-'));
  try {
    execFileSync(commands.mount, ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', disk], {
      stdio: 'ignore',
    });
  } catch {
    return 'SKIPPED, nothing is shown: this machine lets nobody mount a small disk (it takes Linux and root)';
  }
  try {
    await using chat = await startFakeChatProcess('--latency', '100');
    const prepared = await prepareData(rows);
    const directory = join(disk, 'data');
    cpSync(prepared, directory, { recursive: true });
    rmSync(prepared, { recursive: true });
    const env = { LOG_LEVEL: 'silent', CHAT_BASE_URL: chat.url };
    const start = () => startProduct(env, directory, { keeps: true });
    return await act({ directory, ballast: join(disk, 'ballast'), rows, chat, env, start });
  } finally {
    execFileSync(commands.unmount, ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

function leave({ directory, ballast }: Scene, megabytes: number): void {
  rmSync(ballast, { force: true });
  writeFileSync(ballast, Buffer.alloc((freeMegabytes(directory) - megabytes) * megabyte));
}

function takeAll({ ballast }: Scene): void {
  const piece = Buffer.alloc(16 * megabyte);
  try {
    for (;;) appendFileSync(ballast, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

async function whenNotRunning(client: Caller, id: string): Promise<Batch> {
  for (;;) {
    const { batch } = await client.call('getBatch', { id });
    if (batch.state !== 'running') return batch;
  }
}

async function refused({ directory }: Scene, upload: Promise<Response>): Promise<string> {
  const response = await upload;
  const { code, message } = (await response.json()) as RefusalBody;
  const left = readdirSync(join(directory, 'files/unfinished')).length;
  return `${response.status} ${code} (“${message}”), temporary files left ${left}`;
}

/** The batch ends, the server too, and then everything is counted. */
async function describeEnd(
  { directory, rows, chat }: Scene,
  server: Child,
  id: string,
): Promise<string> {
  const { answered, failed, charged } = await (await clientAt(server.url)).whenEnded(id);
  await server[Symbol.asyncDispose]();
  const prompts = (await callsAt(chat.url)).map(({ prompt }) => prompt);
  const { spent, brokenInvariants } = await readBooks(directory);
  return (
    `with room again answered ${answered} of ${rows}, failed ${failed}, charged ${charged}, spent ${spent}; ` +
    `calls repeated ${prompts.length - new Set(prompts).size}; broken invariants ${brokenInvariants.length}`
  );
}

function sheetOfMegabytes(megabytes: number): Blob {
  const lines = `${'x'.repeat(999)}\n`.repeat(1_000);
  return new Blob(['Row\n', ...Array.from({ length: megabytes }, () => lines)]);
}

function freeMegabytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return Math.floor((bavail * bsize) / megabyte);
}

function pass(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callsAt, clientAt, prepareData, startBatch, startFakeChatProcess, startProduct } from './product.ts';

const commands = { mount: '/bin/mount', unmount: '/bin/umount' };
const megabyte = 1_000_000;
/** The data directory, and room enough for the product to be content. */
const diskMegabytes = 256;
const leftMegabytes = 40;

/** A10: a small disk gets full while a batch runs, and is emptied again. Says so where no such disk can be had. */
export async function fullDisk({ rows }: { rows: number }): Promise<string> {
  const disk = mkdtempSync(join(tmpdir(), 'rowmill-disk-'));
  try {
    execFileSync(commands.mount, ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return 'SKIPPED, nothing is shown: this machine lets nobody mount a small disk (it takes Linux and root)';
  }
  try {
    return await fill(disk, rows);
  } finally {
    execFileSync(commands.unmount, ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

async function fill(disk: string, rows: number): Promise<string> {
  await using chat = await startFakeChatProcess('--latency', '100');
  const prepared = await prepareData(rows);
  const directory = join(disk, 'data');
  cpSync(prepared, directory, { recursive: true });
  rmSync(prepared, { recursive: true });
  await using server = await startProduct({ LOG_LEVEL: 'silent', CHAT_BASE_URL: chat.url }, directory, { keeps: true });
  const client = await clientAt(server.url);
  const id = await startBatch(client, rows);
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(freeMegabytes(disk) * megabyte - leftMegabytes * megabyte));
  const filled = performance.now();
  const paused = await client.call('getBatch', { id }).then(async function wait({ batch }): Promise<typeof batch> {
    return batch.state === 'running' ? wait(await client.call('getBatch', { id })) : batch;
  });
  const pausedAfter = performance.now() - filled;
  rmSync(ballast);
  const ended = await client.whenEnded(id);
  const prompts = (await callsAt(chat.url)).map(({ prompt }) => prompt);
  return (
    `a disk with ${leftMegabytes} MB left: ${paused.state} (${paused.pause_reason}) after ${(pausedAfter / 1_000).toFixed(1)} s; with room again ` +
    `answered ${ended.answered} of ${rows}, failed ${ended.failed}, charged ${ended.charged}; calls repeated ${prompts.length - new Set(prompts).size}`
  );
}

function freeMegabytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return Math.floor((bavail * bsize) / megabyte);
}

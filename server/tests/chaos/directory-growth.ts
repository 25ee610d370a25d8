import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { signInDemo, startBatch } from '../../harness/api-client.ts';
import { prepareData, startProduct } from '../../harness/processes.ts';
import { pass } from './totals.ts';

const growthAtMost = 1.2;

/**
 * The same rows run and deleted four times on the embedded database, and the size of its tables
 * after each time. Its log is left out: it is reused and stays between 48 and 96 MB, whatever was
 * run.
 */
export async function directoryGrowth(rows: number): Promise<string[]> {
  const times = 4;
  const directory = await prepareData();
  const env = { CHAT_BASE_URL: 'demo', LOG_LEVEL: 'silent' };
  await using server = await startProduct(env, directory);
  const client = await signInDemo(server.url);
  const megabytes: number[] = [];
  for (let time = 1; time <= times; time++) {
    const id = await startBatch(client, rows);
    await client.whenEnded(id, 100);
    await client.call('deleteBatch', { id });
    megabytes.push(await stableSize(join(directory, 'database/base')));
  }
  const growth = (megabytes.at(-1) ?? Number.NaN) / (megabytes[0] ?? Number.NaN);
  const sizes = megabytes.map((size) => `${Math.round(size)} MB`).join(', ');
  const line = `${rows} rows run and deleted ${times} times: ${sizes}; growth ${growth.toFixed(2)}`;
  process.stdout.write(`${line}\n`);
  return growth <= growthAtMost ? [] : [line];
}

/** Jobs clean up after a deletion; the size counts once it has stayed the same for five seconds. */
async function stableSize(directory: string): Promise<number> {
  let size = sizeOf(directory);
  for (let calm = 0; calm < 5; calm++) {
    await pass(1_000);
    const now = sizeOf(directory);
    if (now !== size) calm = -1;
    size = now;
  }
  return size / 1_000_000;
}

function sizeOf(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

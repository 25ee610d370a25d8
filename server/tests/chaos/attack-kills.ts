import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '@rowmill/contract';
import pino from 'pino';
import { type ApiClient, sheetOf, signInDemo } from '../../harness/api-client.ts';
import {
  behave,
  kill9,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../harness/processes.ts';
import { diskFiles } from '../../src/adapters/disk-files.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { sweepOrphans } from '../../src/domains/files/orphans.ts';
import { originalKey, rowsKey } from '../../src/domains/files/rules.ts';
import { after, day } from '../../src/lib/clock.ts';
import { broken, embedded, pass, readTotals } from './totals.ts';

const batchRows = 60;
/** Then the report names what was never done, and every process has ended. */
const firstAtMostMilliseconds = 300_000;
/** In each life of the server; everything is repeated until the kill. */
const callers = {
  uploads: 2,
  starts: 4,
  stops: 1,
  sheetDeletions: 1,
  batchDeletions: 1,
  exports: 1,
  streams: 4,
  prompts: 6,
};
/** Rates are limited. Asking at once again would take most of the CPU time. */
const afterRefusalMilliseconds = 200;
export const attacks = Object.keys(callers);

export interface AttackKillReport {
  kills: number;
  /** Answered before a kill. */
  answered: Record<string, number>;
  sheets: number;
  batches: number;
  /** What must not exist. */
  left: {
    incompleteSheets: number;
    temporaryFiles: number;
    reserved: number;
    /** Requests with a key and without an answer. */
    unansweredKeys: number;
    /** Sheets whose files are missing, and files that no sheet names a day later. */
    missingFiles: number;
    orphans: number;
    /** Batches whose charge is not one submission for each answered row. */
    wronglyCharged: number;
    brokenInvariants: string[];
  };
}

/**
 * Kills the server on the embedded database at random moments, while a client does everything. The
 * first life lasts until everything was done at least once.
 */
export async function killDuringAttacks({
  kills,
  lifeMilliseconds,
  largeRows,
}: {
  kills: number;
  lifeMilliseconds: number;
  /** Of each uploaded sheet. */
  largeRows: number;
}): Promise<AttackKillReport> {
  await using chat = await startFakeChatProcess('--latency', '100');
  const directory = await prepareData();
  const env = { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: '32', LOG_LEVEL: 'silent' };
  const answered: Record<string, number> = {};
  let file = '';
  for (let kill = 0; kill < kills; kill++) {
    const server = await startProduct(env, directory, { keeps: true });
    if (file === '') file = await prepareSheet(server.url);
    const attack = await begin(server.url, file, answered, largeRows);
    if (kill === 0) await attack.whenEverythingWasDone();
    await pass(Math.random() * lifeMilliseconds);
    await kill9(server);
    await attack.end();
  }
  await behave(chat.url, { latency: 0 });
  {
    await using server = await startProduct(env, directory, { keeps: true });
    await finish(await signInDemo(server.url));
  }
  const found = await inspect(directory, largeRows);
  rmSync(directory, { recursive: true, force: true });
  return { kills, answered, ...found };
}

/** What must not exist but does, and what the kills did not hit. */
export function missesOfAttacks({ left, answered, sheets, batches }: AttackKillReport): string[] {
  const { brokenInvariants, ...counts } = left;
  return broken({
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count === 0])),
    'all ledger checks pass': brokenInvariants.length === 0,
    'each attack was answered before a kill': attacks.every((name) => name in answered),
    'sheets and batches are stored': sheets > 0 && batches > 0,
  });
}

/** A sheet that no deletion removes, because an ended batch uses it. */
async function prepareSheet(url: string): Promise<string> {
  const client = await signInDemo(url);
  const file = await client.upload(sheetOf(batchRows));
  await client.whenEnded(await client.start(file, 'Say {{Row}}'));
  return file;
}

async function begin(
  url: string,
  file: string,
  answered: Record<string, number>,
  largeRows: number,
) {
  const largeSheet = sheetOf(largeRows);
  const client = await signInDemo(url);
  // Each may upload ten sheets a minute.
  const uploading = await Promise.all(
    ['client', 'bakery', 'museum', 'admin'].map((name) => signInDemo(url, name)),
  );
  const uploader = (call: number) => uploading[call % uploading.length] ?? client;
  let isOver = false;
  /** An act returns false when there was nothing to do. */
  const repeat = (name: keyof typeof callers, act: (call: number) => Promise<unknown>) =>
    Array.from({ length: callers[name] }, async (_, caller) => {
      for (let call = caller; !isOver; call += callers[name]) {
        const done = await act(call).catch(() => false);
        if (done === false) await pass(afterRefusalMilliseconds);
        else answered[name] = (answered[name] ?? 0) + 1;
      }
    });
  const attacking = [
    ...repeat('uploads', (call) => uploader(call).upload(largeSheet)),
    ...repeat('starts', async (call) => {
      const question = `Say {{Row}} ${call} ${Math.random()}`;
      const query = { file, preview: 2 };
      await client.call('askChatGpt', { questionWithVariable: question, query });
      await client.start(file, question);
    }),
    // The model answers none of its rows, so it runs until it is stopped.
    ...repeat('stops', async (call) => {
      const id = await client.start(file, `Say {{Row}} ${call} [[held]]`);
      await client.call('stopFileProcessing', { id });
    }),
    ...repeat('sheetDeletions', (call) => deleteSheet(uploader(call), largeRows)),
    ...repeat('batchDeletions', async (call) => {
      const questionWithVariable = `Tried {{Row}} ${call} ${Math.random()}`;
      await client.call('askChatGpt', { questionWithVariable, query: { file, preview: 2 } });
      const ready = { state: 'ready', start: 0, limit: 1 } as const;
      const { files } = await client.call('getProcessedFiles', ready);
      await client.call('deleteBatch', { id: files[0]?.id ?? '' });
    }),
    ...repeat('exports', async () => {
      const response = await fetch(url + endpoints.exportUserData.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      await response.arrayBuffer();
      return response.ok;
    }),
    ...repeat('streams', async () => {
      let isRead = false;
      // Read until the kill breaks it.
      for await (const _ of await client.open(endpoints.events.path)) {
        if (!isRead) answered.streams = (answered.streams ?? 0) + 1;
        isRead = true;
      }
      return false;
    }),
    ...repeat('prompts', (call) =>
      client.call('askChatGpt', { question: `Prompt ${call} ${Math.random()}`, query: {} }),
    ),
  ];
  return {
    whenEverythingWasDone: async () => {
      const deadline = performance.now() + firstAtMostMilliseconds;
      while (!attacks.every((name) => name in answered) && performance.now() < deadline)
        await pass(20);
    },
    end: async () => {
      isOver = true;
      await Promise.all(attacking);
    },
  };
}

async function deleteSheet(client: ApiClient, largeRows: number): Promise<unknown> {
  const { files } = await client.call('listFiles', { start: 0, limit: 20 });
  const unused = files.find(({ batches, rows }) => batches === 0 && rows === largeRows);
  return unused ? client.call('deleteFile', { id: unused.id }) : false;
}

/** Stops what still runs and waits until nothing is reserved. */
async function finish(client: ApiClient): Promise<void> {
  for (;;) {
    const { files } = await client.call('getProcessedFiles', { state: 'running', limit: 100 });
    if (files.length === 0) break;
    for (const { id } of files) await client.status('stopFileProcessing', { id });
    for (const { id } of files) await client.whenEnded(id, 50);
  }
}

async function inspect(directory: string, largeRows: number) {
  const { brokenInvariants } = await readTotals(embedded(directory));
  const temporary = await readdir(join(directory, 'files/unfinished'));
  await using database = await openDatabase(embedded(directory));
  const { db } = database;
  const sheets = await db
    .selectFrom('sheets')
    .selectAll()
    .where('deleted_at', 'is', null)
    .execute();
  const batches = await db.selectFrom('batches').selectAll().execute();
  const accounts = await db.selectFrom('credit_accounts').select('reserved').execute();
  const keys = await db
    .selectFrom('idempotency_keys')
    .select('key')
    .where('answer', 'is', null)
    .where('is_dropped', '=', false)
    .execute();
  const files = diskFiles(join(directory, 'files'));
  const clock = { now: () => after(new Date(), 2 * day) };
  // What the nightly sweep will do.
  await sweepOrphans({ db, files, clock, log: pino({ level: 'silent' }) });
  const stored = new Set<string>();
  // The next sweep removes the empty folders.
  for await (const key of files.unchangedSince(clock.now())) if (key.includes('/')) stored.add(key);
  const named = sheets.flatMap((sheet) => [originalKey(sheet.id), rowsKey(sheet.id, sheet)]);
  const missing = named.filter((key) => !stored.has(key));
  return {
    sheets: sheets.length,
    batches: batches.length,
    left: {
      incompleteSheets: sheets.filter(({ rows }) => ![largeRows, batchRows].includes(rows)).length,
      temporaryFiles: temporary.length,
      reserved: accounts.reduce((sum, { reserved }) => sum + reserved, 0),
      unansweredKeys: keys.length,
      missingFiles: missing.length,
      orphans: stored.size - (named.length - missing.length),
      wronglyCharged: batches.filter((batch) => batch.charged !== batch.answered * batch.price)
        .length,
      brokenInvariants,
    },
  };
}

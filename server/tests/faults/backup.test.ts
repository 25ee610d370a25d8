import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { endpoints } from '@rowmill/contract';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startFakeBucket } from '../../../fakes/bucket/server.ts';
import { startFakeChat } from '../../../fakes/chat/server.ts';
import { startApp } from '../../src/app.ts';
import { backUp } from '../../src/cli/backup/backup.ts';
import { listFiles, type Manifest } from '../../src/cli/backup/manifest.ts';
import { restore } from '../../src/cli/backup/restore.ts';
import { type Config, parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { openForCopy } from '../../src/db/connect.ts';
import { DataDirectoryLock } from '../../src/db/embedded/data-lock.ts';
import { copyFolder } from '../../src/db/embedded/running-copy.ts';
import { migrate } from '../../src/db/migrate.ts';
import { BatchClient } from '../support/batches.ts';
import { createPostgresDatabase, isPostgres } from '../support/databases.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { filesOfSheet } from '../support/stored-files.ts';
import { startTestServer } from '../support/test-server.ts';
import { until } from '../support/waiting.ts';

const root = mkdtempSync(join(tmpdir(), 'rowmill-backup-'));
const folder = join(root, 'backup');

const chat = await startFakeChat();
const server = await startTestServer({ CHAT_BASE_URL: chat.url, CHAT_MODEL: 'fake' });
const client = await BatchClient.create(server, 100);
const batch = await client.start(['one', 'two', 'line\u2028separator', 'held [[held]]']);
await client.when(batch.id, ({ answered }) => answered === 3);
// A job that the queue has made for itself, at a time of the day.
const ownQueue = '__pgboss__send-it';
await sql`insert into jobs.queue select copy.* from jobs.queue,
  jsonb_populate_record(queue, ${JSON.stringify({ name: ownQueue })}) as copy limit 1`.execute(
  server.app.ctx.db,
);
await sql`insert into jobs.job (name) values (${ownQueue})`.execute(server.app.ctx.db);
// The row that is held is under way.
await backUp(server.app.ctx.config, folder);
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

/** The settings of a new installation beside the server's. */
async function settingsOf(name: string, { onPostgres = isPostgres } = {}) {
  const { DATABASE_URL: _, DATABASE_OWNER_URL: __, ...rest } = server.settings;
  const database: Record<string, string> = onPostgres
    ? { DATABASE_URL: await createPostgresDatabase() }
    : {};
  return { ...rest, ...database, DATA_DIR: join(root, name) };
}
const configOf = (settings: Record<string, string>): Config =>
  parseConfig(readEnvironment(settings));

/** Each table as its sorted lines. The queue changes its jobs at every start. */
function contentOf(backup: string): Record<string, string[]> {
  const tables = join(backup, 'tables');
  return Object.fromEntries(
    readdirSync(tables)
      .filter((name) => name.startsWith('public.'))
      .map((name) => [
        name,
        gunzipSync(readFileSync(join(tables, name)))
          .toString()
          .split('\n')
          .toSorted(),
      ]),
  );
}

/** What a killed backup of the embedded database leaves: it must not be in the way of the next. */
function leaveKilledCopy(dataDirectory: string) {
  mkdirSync(join(copyFolder(dataDirectory), 'copy'), { recursive: true });
  writeFileSync(join(copyFolder(dataDirectory), 'request'), '');
}

describe('a backup of the running product', () => {
  it('holds every row and file, a second backup of what it restores is the same, and it continues', async () => {
    const config = configOf(await settingsOf('same'));
    const manifest = await restore(folder, config);
    expect(manifest.tables).toMatchObject({ 'public.batches': 1, 'public.results': 3 });
    expect(manifest.files.count).toBe(filesOfSheet(server, batch.sheet_id ?? '').length);
    const second = join(root, 'second');
    await backUp(config, second);
    expect(contentOf(second)).toEqual(contentOf(folder));
    await expect(restore(folder, config)).rejects.toThrow(/not empty|already holds/);
    await using app = await startApp(config, { clock: server.clock, isScheduled: false });
    await until(async () => {
      chat.releaseHeld();
      const found = await app.ctx.db.selectFrom('batches').selectAll().executeTakeFirstOrThrow();
      return found.state === 'completed' && found.answered === 4 && found.charged === 4;
    });
    await expectLedgerChecksToPass({ app });
  });

  it('is complete when a sheet is deleted while it is made', async () => {
    const { config, db, files } = server.app.ctx;
    const { id } = (await server.upload('Prompt\ngone\n', client.user)).body.file;
    const to = join(root, 'with-deleted');
    leaveKilledCopy(config.dataDirectory);
    const count = () => listFiles(`${to}.unfinished`).length;
    const expected = listFiles(folder).length + filesOfSheet(server, id).length;
    let backup: ReturnType<typeof backUp> | undefined;
    await db.transaction().execute(async (db) => {
      // The backup waits here between the copies of the files.
      await sql`lock table batches in access exclusive mode`.execute(db);
      backup = backUp(config, to);
      await until(() => count() === expected);
      await files.remove(id);
    });
    const { files: counted } = (await backup) ?? {};
    expect(counted?.count).toBe(expected);
    expect(await restore(to, configOf(await settingsOf('with-deleted')))).toMatchObject({
      files: counted,
    });
  });
});

// The same on every database, and faster on PostgreSQL.
describe.runIf(isPostgres)('npm run move', () => {
  /** With the settings that `npm start` would read. */
  function move(from: Record<string, string>, to: string) {
    const command = join(import.meta.dirname, '../../src/cli/backup.ts');
    return spawnSync(process.execPath, ['--liftoff-only', command, 'move', '--to', to], {
      env: { PATH: process.env.PATH, ...from },
      encoding: 'utf8',
    });
  }

  it('copies to PostgreSQL and back, with the files', async () => {
    const embedded = await settingsOf('moved', { onPostgres: false });
    await restore(folder, configOf(embedded));
    const to = await createPostgresDatabase();
    const data = String(embedded.DATA_DIR);
    // As a move leaves it that is killed.
    mkdirSync(join(data, 'rowmill-move-killed', 'backup'), { recursive: true });
    expect(move(embedded, to)).toMatchObject({ stderr: '', status: 0 });
    expect(readdirSync(data).filter((name) => name.includes('move'))).toEqual([]);
    expect(move(embedded, to)).toMatchObject({
      stderr: expect.stringMatching(/empty|holds/),
      status: 1,
    });
    expect(move(embedded, 'postgre://me:hidden-word@x/y')).toMatchObject({
      stderr: expect.stringMatching(/^--to begins with postgre:, but .*postgres:\/\/\.\n$/),
      status: 1,
    });
    const directory = join(root, 'moved-back');
    const moved = move({ ...embedded, DATABASE_URL: to }, directory);
    expect(moved).toMatchObject({ stderr: '', status: 0 });
    expect(moved.stdout).toMatch(/and [1-9]\d* files .* All ledger checks pass/);
    const last = join(root, 'moved-twice');
    await backUp(configOf({ ...embedded, DATA_DIR: directory }), last);
    expect(contentOf(last)).toEqual(contentOf(folder));
  });
});

describe.runIf(isPostgres)('a bucket', () => {
  it('gets every file of a restore, also of a second try, and its backup leaves out what is deleted meanwhile', async () => {
    const key = { id: 'rowmill', secret: 'a secret of the tests' };
    await using bucket = await startFakeBucket(key);
    const store = { FILES_BUCKET: 'sheets', FILES_ENDPOINT: bucket.url };
    const access = { FILES_ACCESS_KEY_ID: key.id, FILES_SECRET_ACCESS_KEY: key.secret };
    const settings = { ...(await settingsOf('bucket')), ...store, ...access };
    bucket.isFull = true;
    await expect(restore(folder, configOf(settings))).rejects.toThrow(/QuotaExceeded/);
    bucket.isFull = false;
    const manifest = await restore(folder, configOf(settings));
    expect(bucket.objects.size).toBe(manifest.files.count);
    expect([...bucket.objects.keys()].every((path) => path.startsWith(`${batch.sheet_id}/`))).toBe(
      true,
    );
    bucket.losesFiles = true;
    const { files } = await backUp(configOf(settings), join(root, 'of-bucket'));
    expect(files).toMatchObject({ count: 0, bytes: 0 });
  });
});

describe.runIf(isPostgres)('an installation of version 0.1.0', () => {
  const released = join(import.meta.dirname, 'version-0.1.0');

  it('is upgraded with its people, sheets, answers and submissions', async () => {
    const settings = await settingsOf('upgraded');
    await restore(released, configOf(settings));
    await using app = await startApp(configOf(settings), { isScheduled: false });
    const { ctx } = app;
    await expectLedgerChecksToPass({ app });
    const old = await ctx.db.selectFrom('batches').selectAll().executeTakeFirstOrThrow();
    expect(old).toMatchObject({ state: 'completed', answered: 20, charged: 20 });
    const signIn = await fetch(`${app.url}${endpoints.login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'client@demo.test', password: 'rowmill-demo' }),
    });
    const { user_token } = (await signIn.json()) as { user_token: string };
    const result = await fetch(`${app.url}${endpoints.downloadChatGptResponse.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${user_token}` },
      body: JSON.stringify({ file: old.id, format: 'csv' }),
    });
    const lines = (await result.text()).trim().split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[20]).toMatch(/^row 19,.+/);
  });
});

describe('is refused with a reason', () => {
  it('a backup into a folder that exists, also an unfinished one', async () => {
    const { config } = server.app.ctx;
    await expect(backUp(config, folder)).rejects.toThrow(/backup already exists/);
    const killed = join(root, 'killed');
    mkdirSync(`${killed}.unfinished`);
    await expect(backUp(config, killed)).rejects.toThrow(/killed\.unfinished already exists/);
  });

  it.runIf(!isPostgres)('a backup while another one is made', async () => {
    const { config } = server.app.ctx;
    using _other = DataDirectoryLock.take(copyFolder(config.dataDirectory));
    await expect(backUp(config, join(root, 'beside'))).rejects.toThrow(/Another backup of/);
  });

  it.runIf(isPostgres)(
    'a backup of a ledger that does not hold, and nothing of it is left',
    async () => {
      const config = configOf(await settingsOf('broken'));
      await restore(folder, config);
      {
        await using database = await openForCopy(config.database);
        await database.db.updateTable('credit_accounts').set({ spent: 1_000 }).execute();
      }
      const before = readdirSync(root);
      await expect(backUp(config, join(root, 'of-broken'))).rejects.toThrow(/ledger checks fail/);
      expect(readdirSync(root)).toEqual(before);
    },
  );

  it.runIf(isPostgres)('a backup with the place of files of another installation', async () => {
    const config = { ...server.app.ctx.config, dataDirectory: join(root, 'elsewhere') };
    await expect(backUp(config, join(root, 'without-files'))).rejects.toThrow(
      /has \d+ sheets, but no file of them is stored in \S+elsewhere/,
    );
    // Deleted sheets have no files.
    const restored = configOf(await settingsOf('without-sheets'));
    await restore(folder, restored);
    {
      await using database = await openForCopy(restored.database);
      await database.db.updateTable('sheets').set({ deleted_at: new Date() }).execute();
    }
    const { dataDirectory } = config;
    await backUp({ ...restored, dataDirectory }, join(root, 'of-deleted-sheets'));
  });

  it.runIf(isPostgres)('a backup of a database that another version wrote', async () => {
    const config = configOf(await settingsOf('older'));
    {
      await using database = await openForCopy(config.database, { isBlank: true });
      await migrate(database.db, '0017-demo-mark-and-stored-answers');
    }
    await expect(backUp(config, join(root, 'of-older'))).rejects.toThrow(
      /written by another version of Rowmill \(migration 0017-/,
    );
  });

  it('a folder that is no complete backup', async () => {
    await expect(restore(root, configOf(await settingsOf('none')))).rejects.toThrow(
      /no complete backup/,
    );
  });

  it.runIf(isPostgres)('a damaged backup, before anything is written', async () => {
    const file = join(folder, 'backup.json');
    const results = join(folder, 'tables', 'public.results.jsonl.gz');
    const [text, rows] = [readFileSync(file, 'utf8'), readFileSync(results)];
    const config = configOf(await settingsOf('damaged'));
    const isRefused = (reason: RegExp | string) =>
      expect(restore(folder, config)).rejects.toThrow(reason);
    const change = (alter: (manifest: Manifest) => void) => {
      const manifest = JSON.parse(text);
      alter(manifest);
      writeFileSync(file, JSON.stringify(manifest));
    };
    change(({ files }) => files.count++);
    await isRefused(/damaged: it has \d+ of \d+ files/);
    writeFileSync(file, text.slice(0, -20));
    await isRefused(/backup\.json is damaged/);
    writeFileSync(file, text);
    const [stored = ''] = listFiles(folder);
    const content = readFileSync(stored);
    writeFileSync(
      stored,
      content.map((byte) => byte ^ 1),
    );
    await isRefused(/damaged: a file in it has another name or content/);
    writeFileSync(stored, content);
    renameSync(stored, `${stored}-x`);
    await isRefused(/damaged: a file in it has another name or content/);
    renameSync(`${stored}-x`, stored);
    for (const table of ['public.results', 'jobs.job']) {
      change(({ tables }) => {
        tables[table] = 4_000;
      });
      await isRefused(`damaged: ${table} has `);
    }
    writeFileSync(file, text);
    for (const damaged of [rows.subarray(0, -20), Buffer.from('no gzip')]) {
      writeFileSync(results, damaged);
      await isRefused(/damaged: public\.results cannot be read \(.+\)/);
    }
    rmSync(results);
    await isRefused(/damaged: public\.results cannot be read \(ENOENT/);
    change((manifest) => {
      manifest.migration = '9999-later';
    });
    await isRefused(/newer than this one/);
    expect(existsSync(config.dataDirectory)).toBe(false);
    expect(readdirSync(folder).toSorted()).toEqual(['backup.json', 'files', 'tables']);
  });
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startFakeBucket } from '../../../fakes/bucket/server.ts';
import { startFakeChat } from '../../../fakes/chat/server.ts';
import { type App, startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { ServiceUnavailable } from '../../src/lib/unavailable.ts';
import { BatchClient } from '../support/batches.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const key = { id: 'rowmill', secret: 'a secret of the tests' };
const bucket = await startFakeBucket(key);
const chat = await startFakeChat();
const store = { FILES_BUCKET: 'sheets', FILES_ENDPOINT: bucket.url };
const access = { FILES_ACCESS_KEY_ID: key.id, FILES_SECRET_ACCESS_KEY: key.secret };
const server = await startTestServer({
  CHAT_BASE_URL: chat.url,
  CHAT_MODEL: 'fake',
  CHAT_CONCURRENCY: '4',
  ...store,
  ...access,
});
const client = await BatchClient.create(server, 2_000);
afterAll(async () => {
  await chat.close();
  await bucket[Symbol.asyncDispose]();
});

const keysOf = (sheet: string) =>
  [...bucket.objects.keys()].filter((path) => path.startsWith(`${sheet}/`));
const onThisMachine = () =>
  readdirSync(join(server.settings.DATA_DIR ?? '', 'files'), {
    recursive: true,
    withFileTypes: true,
  });

describe('sheets in a bucket', () => {
  it('are imported, revised, answered, downloaded and deleted without a local file', async () => {
    const content = 'Name;Colour\nteapot;blue\nlamp;green\n';
    const { file } = (await server.upload(content, { ...client.user, fields: { delimiter: ',' } }))
      .body;
    expect(file.columns).toEqual(['Name;Colour']);
    const revised = (await server.call('reviseFile', { id: file.id, delimiter: ';' }, client.user))
      .body.file;
    expect(revised.columns).toEqual(['Name', 'Colour']);
    expect(keysOf(file.id)).toHaveLength(2);
    const request = {
      questionWithVariable: 'Praise the {{Colour}} {{Name}}',
      query: { file: file.id, start: true },
    };
    const id = (await server.ask(request, client.user)).body.batch?.id ?? '';
    expect(await client.whenEnded(id)).toMatchObject({ state: 'completed', answered: 2 });
    const results = await server.download('downloadChatGptResponse', { file: id }, client.user);
    expect(await results.text()).toMatch(
      /^Name;Colour;Answer;Problem\r\nteapot;blue;.+\r\nlamp;green;.+\r\n$/,
    );
    const original = await server.download('downloadUploadedCsv', { id: file.id }, client.user);
    expect(await original.text()).toBe(content);
    expect(onThisMachine().filter((entry) => entry.isFile())).toEqual([]);
    await server.call('deleteBatch', { id }, client.user);
    await expect.poll(() => keysOf(file.id)).toEqual([]);
  });

  it.each([
    ['is unavailable', 'isDown', 'The service is very busy'],
    ['refuses our key', 'refusesKey', 'Files cannot be stored or read right now'],
  ] as const)(
    'are refused with a reason while the bucket %s, and leave no file',
    async (_what, fault, reason) => {
      const before = [...bucket.objects.keys()];
      bucket[fault] = true;
      const { status, body } = await server.upload('Prompt\none\n', client.user);
      bucket[fault] = false;
      expect([status, body]).toMatchObject([
        503,
        { code: 'busy', message: expect.stringContaining(reason) },
      ]);
      expect([...bucket.objects.keys()]).toEqual(before);
      expect(onThisMachine().filter((entry) => entry.isFile())).toEqual([]);
    },
  );

  it('are refused when the file that was uploaded cannot be read', async () => {
    // Has a size and can be opened, but not be read.
    const path = onThisMachine().find((entry) => entry.isDirectory())?.parentPath ?? '';
    await expect(server.app.ctx.files.store(path, 'sheet/rows')).rejects.toThrow(
      ServiceUnavailable,
    );
    expect(keysOf('sheet')).toEqual([]);
  });

  it.each([
    ['isDown', 'The file store does not answer.'],
    ['refusesKey', 'The file store refuses us: AccessDenied. Check FILES_BUCKET'],
  ] as const)('have their problem on the dashboard of operators: %s', async (fault, problem) => {
    const operator = await createUser(server, { roleId: roles.operator });
    const { body: before } = await server.call('getOverview', {}, operator);
    bucket[fault] = true;
    const { body: now } = await server.call('getOverview', {}, operator);
    const ready = await fetch(`${server.app.url}/health/ready`);
    bucket[fault] = false;
    expect([before.files_problem, now.files_problem]).toEqual([
      null,
      expect.stringContaining(problem),
    ]);
    expect(ready.status).toBe(200);
  });

  it('wait while the bucket is unavailable, and no row fails', async () => {
    // The first rows are held, so that most rows are not read yet when the bucket is unavailable.
    // Of the first slice, which is read, those that are too long in all are read again when sent.
    const prompts = Array.from(
      { length: 1_500 },
      (_, row) => `away ${row} ${row < 16 ? 'x'.repeat(6_000) : ''}`,
    );
    const { id } = await client.start(
      prompts.map((prompt, row) => (row < 4 ? `${prompt} [[held]]` : prompt)),
    );
    // All held rows are in flight: one that is sent after they are released would stay held.
    await until(() => chat.inFlight === 4);
    bucket.isDown = true;
    const before = bucket.requests.get('GET') ?? 0;
    chat.releaseHeld();
    await expect.poll(() => (bucket.requests.get('GET') ?? 0) > before + 3).toBe(true);
    // The first slice is queued again.
    await until(async () => {
      const { rows } = await sql`
        select from jobs.job where data->>'batch_id' = ${id} and data->>'first' = '0'`.execute(
        server.app.ctx.db,
      );
      return rows.length > 1 || (await client.batch(id)).failed > 0;
    });
    bucket.isDown = false;
    expect(await client.releaseUntilEnded(chat, id)).toMatchObject({
      state: 'completed',
      answered: 1_500,
      failed: 0,
      charged: 1_500,
    });
    expect(
      new Set(chat.calls.map(({ prompt }) => prompt).filter((prompt) => prompt.startsWith('away')))
        .size,
    ).toBe(1_500);
  });

  it('end the start when the bucket is a wrong one, but not while it is unavailable', async () => {
    const start = async (more: object) => {
      const DATA_DIR = `${server.settings.DATA_DIR}-check`;
      const environment = readEnvironment({ ...server.settings, SERVE: 'auth', DATA_DIR, ...more });
      await using app = await startApp(parseConfig(environment), { isScheduled: false });
      return (await fetch(`${app.url}/health/ready`)).status;
    };
    await expect(start({ FILES_BUCKET: 'another' })).rejects.toMatchObject({
      name: 'StartRefused',
      message: expect.stringContaining('NoSuchBucket. Check FILES_BUCKET'),
    });
    bucket.isDown = true;
    expect(await start({})).toBe(200);
    bucket.isDown = false;
  });

  it('are answered by a machine that did not receive the upload', async () => {
    const { app, settings } = server;
    const startPart = (SERVE: string, DATA_DIR: string): Promise<App> =>
      startApp(parseConfig(readEnvironment({ ...settings, SERVE, DATA_DIR })), {
        isScheduled: false,
      });
    await app[Symbol.asyncDispose]();
    server.app = await startPart('site,auth,plan,main', `${settings.DATA_DIR}-site`);
    await using worker = await startPart('worker', `${settings.DATA_DIR}-worker`);
    expect(worker.url).not.toBe('');
    const { id } = await client.start(['here', 'and there']);
    expect(await client.whenEnded(id)).toMatchObject({
      state: 'completed',
      answered: 2,
      charged: 2,
    });
  });
});

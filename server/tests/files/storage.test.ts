import { type RawBuilder, sql } from 'kysely';
import { expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { deleteWork } from '../../src/domains/batches/delete-work.ts';
import { deleteOwnBatch } from '../../src/domains/batches/lifecycle/delete.ts';
import { findBatchById } from '../../src/domains/batches/store/batches.ts';
import { deleteResults } from '../../src/domains/batches/store/change-results.ts';
import { listResultRows } from '../../src/domains/batches/store/results.ts';
import { deleteExpiredSheets } from '../../src/domains/files/storage.ts';
import { jobs } from '../../src/job-kinds.ts';
import { day, minute } from '../../src/lib/clock.ts';
import { BatchClient, whenEnded } from '../support/batches.ts';
import { isPostgres } from '../support/databases.ts';
import { countStatements } from '../support/statements.ts';
import { hideFilesOfSheet, storedFiles } from '../support/stored-files.ts';
import { asOwner, startTestServer } from '../support/test-server.ts';
import { actingOf, createUser, password } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const server = await startTestServer(
  {
    CHAT_BASE_URL: 'demo',
    STORAGE_QUOTA_MB: '1',
    SHEET_UNUSED_DAYS: '2',
  },
  { resumeIntervalMilliseconds: 200 },
);

/** 300 kB, which take about 620 kB with their rows. */
const large = `Prompt\n${`${'x'.repeat(99)}\n`.repeat(3_000)}`;

it('stores short rows under many columns in a few times their bytes', async () => {
  const user = await createUser(server);
  const names = Array.from({ length: 200 }, (_, index) => `column ${index}`).join(',');
  const csv = `${names}\n${'1\n'.repeat(50_000)}`;
  const { body } = await server.upload(csv, {
    ...user,
    fields: { delimiter: ',', header: 'true' },
  });
  const { files, storage } = (await server.call('listFiles', {}, user)).body;
  expect(files).toEqual([
    expect.objectContaining({ id: body.file.id, rows: 50_000, columns: 200, batches: 0 }),
  ]);
  expect(files[0]?.stored_bytes).toBeLessThan(5 * csv.length);
  expect(storage).toEqual({
    // And 16 KiB for the record of a sheet.
    used_bytes: (files[0]?.stored_bytes ?? 0) + 16_384,
    quota_bytes: 1_000_000,
    unused_days: 2,
  });
  const last = await server.call('getFile', { id: body.file.id, start: 49_999 }, user);
  expect(last.body.rows).toEqual([['1', ...Array(199).fill('')]]);
});

it("keeps the arrangement of a sheet's columns for its owner until the sheet is deleted", async () => {
  const [owner, stranger] = [await createUser(server), await createUser(server)];
  const { id } = (await server.upload('Name,Price\nTeapot,3\n', owner)).body.file;
  const viewOf = async () => (await server.call('getSheetView', { id }, owner)).body.view;
  expect(await viewOf()).toBeNull();
  const view = {
    hidden: ['sheet 1'],
    order: ['sheet 1', 'sheet 0'],
    widths: { 'sheet 0': 320 },
    isWrapped: true,
    isFrozen: false,
  };
  const widened = { ...view, widths: { 'sheet 0': 400 } };
  for (const each of [view, widened])
    expect((await server.call('changeSheetView', { id, view: each }, owner)).status).toBe(200);
  expect(await viewOf()).toEqual(widened);
  expect((await server.call('getSheetView', { id }, stranger)).status).toBe(404);
  expect((await server.call('changeSheetView', { id, view }, stranger)).status).toBe(404);
  const names = Array.from({ length: 2_001 }, (_, index) => `sheet ${index}`);
  const widths = Object.fromEntries(names.map((name) => [`${name}${'x'.repeat(60)}`, 5_000]));
  for (const wrong of [{ hidden: names }, { widths }, { isWrapped: 'yes' }, { colour: 'red' }])
    expect(
      (await server.call('changeSheetView', { id, view: { ...view, ...wrong } as never }, owner))
        .status,
    ).toBe(422);
  expect((await server.call('deleteFile', { id }, owner)).status).toBe(200);
  expect((await server.call('getSheetView', { id }, owner)).status).toBe(404);
  const left = server.app.ctx.db.selectFrom('sheets').select('view').where('id', '=', id);
  expect(await left.executeTakeFirstOrThrow()).toEqual({ view: null });
});

it('refuses uploads and batches over the limit, in words, until something is deleted', async () => {
  const client = await BatchClient.create(server, 100);
  const answers = await Promise.all([0, 1].map(() => server.upload(large, client.user)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 507]);
  const [stored, refused] = answers.toSorted((one, other) => one.status - other.status);
  expect(refused?.body.message).toMatch(/your sheets and answers take \d+ kB of your 1 MB/);
  expect(refused?.body.code).toBe('storage_full');
  const id = stored?.body.file.id ?? '';
  await server.app.ctx.db
    .updateTable('sheets')
    .set({ bytes: 2_000_000 })
    .where('id', '=', id)
    .execute();
  const start = await server.ask(
    { questionWithVariable: '{{Prompt}}', query: { file: id, start: true } },
    client.user,
  );
  expect([start.status, start.body.message]).toEqual([507, expect.stringContaining('Delete')]);
  expect((await server.call('deleteFile', { id }, client.user)).status).toBe(200);
  expect((await server.call('deleteFile', { id }, client.user)).status).toBe(404);
  server.clock.advance(minute);
  expect((await server.upload(large, client.user)).status).toBe(200);
});

it('refuses to play a tried batch whose rows do not fit', async () => {
  const client = await BatchClient.create(server, 10_000);
  server.clock.advance(minute);
  const rows = Array.from({ length: 3_000 }, (_, row) => row);
  const { id: file } = (await server.upload(`Prompt\n${rows.join('\n')}\n`, client.user)).body.file;
  const ask = (query: object) => server.ask({ query: { file, ...query } }, client.user);
  expect((await ask({ preview: 1 })).status).toBe(200);
  await server.app.ctx.db
    .updateTable('sheets')
    .set({ bytes: 800_000 })
    .where('id', '=', file)
    .execute();
  expect((await ask({ start: true })).body.code).toBe('storage_full');
  const [tried] = (await server.call('getProcessedFiles', {}, client.user)).body.files;
  expect((await client.play(tried?.id ?? '')).body.code).toBe('storage_full');
  expect(await client.balance()).toBe(9_999);
});

it('deletes a sheet without a batch after the set days, and counts the answers of others', async () => {
  const client = await BatchClient.create(server, 100);
  const batch = await client.start(['one', 'two']);
  await client.whenEnded(batch.id);
  const { body: unused } = await server.upload('Prompt\nnever asked\n', client.user);
  const list = async () => (await server.call('listFiles', {}, client.user)).body;
  const { files, storage } = await list();
  const [first, second] = files;
  expect(first).toMatchObject({ id: unused.file.id, batches: 0, expires_at: expect.any(String) });
  expect(second).toMatchObject({ id: batch.sheet_id, batches: 1, expires_at: null });
  const sheetBytes = files.reduce((sum, sheet) => sum + sheet.stored_bytes, 0);
  expect(storage.used_bytes).toBeGreaterThan(sheetBytes);
  const kept = await server.call('deleteFile', { id: batch.sheet_id }, client.user);
  expect([kept.status, kept.body.message]).toEqual([409, expect.stringContaining('batch first')]);
  server.clock.advance(2 * day + minute);
  await deleteExpiredSheets(server.app.ctx);
  await until(() => !storedFiles(server).includes(unused.file.id));
  expect(storedFiles(server)).toContain(batch.sheet_id);
});

it.skipIf(isPostgres)('vacuums the embedded database after rows were deleted', async () => {
  const { ctx } = server.app;
  const client = await BatchClient.create(server, 2_000);
  const { id } = await client.start(Array.from({ length: 2_000 }, (_, row) => `row ${row}`));
  await client.whenEnded(id);
  const state = async () => {
    const { rows } = await sql<{ bytes: number; rows: number }>`
      select pg_relation_size('results')::integer as bytes, reltuples::integer as rows
      from pg_class where oid = 'results'::regclass`.execute(ctx.db);
    return rows[0];
  };
  const before = await state();
  await inTransaction(ctx, async (ctx) => {
    await deleteOwnBatch(ctx, actingOf(client.user), { id });
    // By a job, a thousand at a time: a transaction holds the only connection.
    const { counted, statements } = countStatements(ctx);
    expect(await deleteResults(counted.db, id)).toBe(2_000);
    expect(statements()).toBe(4);
  });
  await jobs['batches.vacuum'].run(ctx, {} as never);
  const after = await state();
  expect(after?.bytes).toBeLessThan((before?.bytes ?? 0) / 2);
  expect(after?.rows).toBeGreaterThanOrEqual(0);
  expect(after?.rows).toBeLessThan(100);
});

it('deletes the work of a person in as many statements for few batches as for many', async () => {
  const { ctx } = server.app;
  const counts: number[] = [];
  for (const batches of [1, 6]) {
    const client = await BatchClient.create(server, batches);
    const started: string[] = [];
    for (let batch = 0; batch < batches; batch++) {
      const { id } = await client.start(['some row']);
      await client.whenEnded(id);
      started.push(id);
    }
    const sheets = started.map(async (id) => (await findBatchById(ctx.db, id))?.sheet_id ?? '');
    const ids = await Promise.all(sheets);
    const files = () => storedFiles(server).filter((id) => ids.includes(id));
    expect(files()).toHaveLength(batches);
    await inTransaction(ctx, async (ctx) => {
      const { counted, statements } = countStatements(ctx);
      await deleteWork(counted, client.user.id);
      counts.push(statements());
    });
    for (const id of started) {
      expect(await findBatchById(ctx.db, id)).toMatchObject({
        name: '',
        question: '',
        answered: 1,
      });
      await until(async () => (await listResultRows(ctx.db, id)).length === 0);
    }
    await until(() => files().length === 0);
  }
  expect(counts[1]).toBe(counts[0]);
});

it('deletes an account with more batches, sheets and prompts than one transaction deletes', async () => {
  const { ctx } = server.app;
  const user = await createUser(server);
  const userId = (await server.call('fetchUserDetail', {}, user)).body.user.id;
  await sql`
    insert into sheets (id, user_id, actor_id, name, bytes, encoding, delimiter, header,
      dialect_confirmed, columns, rows, blank_rows, candidates, sample, report, metadata, offsets,
      created_at)
    select ${userId} || n, ${userId}, ${userId}, 'sheet.csv', 1, 'utf-8', ',', true, true,
      '["Text"]', 1, 0, '[]', '[]', '{}', '[]', '[]', now()
    from generate_series(1, 450) n`.execute(ctx.db);
  await sql`
    insert into batches (id, user_id, actor_id, sheet_id, name, state, question, variables, options,
      model, price, fingerprint, rows, answered, created_at, ended_at)
    select ${userId} || n, ${userId}, ${userId}, ${userId} || (n % 400 + 1), 'sheet.csv',
      'completed', 'Say it', '{}', '{"outputs": []}', 'demo', 1, 'f' || n, 1, 1, now(), now()
    from generate_series(1, 450) n`.execute(ctx.db);
  await sql`
    insert into single_prompts (id, user_id, actor_id, template, rows, state, asked_at)
    select ${userId} || n, ${userId}, ${userId}, 'Say it', 1, 'answered', now()
    from generate_series(1, 5001) n`.execute(ctx.db);
  const left = async () => {
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from sheets where user_id = ${userId} and deleted_at is null)
        + (select count(*) from batches where user_id = ${userId} and deleted_at is null)
        + (select count(*) from single_prompts where user_id = ${userId}) as left`.execute(ctx.db);
    return Number(rows[0]?.left);
  };
  expect(await left()).toBe(450 + 450 + 5_001);
  const wrong = await server.call('deleteUserAccount', { current_password: 'wrong one' }, user);
  expect(wrong.status).toBe(422);
  expect(await left()).toBe(450 + 450 + 5_001);
  const { status } = await server.call('deleteUserAccount', { current_password: password }, user);
  expect([status, await left()]).toEqual([200, 0]);
});

it.skipIf(isPostgres)(
  'grows by at most a fifth when the same rows are run and deleted four times',
  async () => {
    // Fewer rows are vacuumed at night.
    const rows = Array.from({ length: 10_000 }, (_, row) => `row ${row}`);
    const grown = await startTestServer({ CHAT_BASE_URL: 'demo' });
    const client = await BatchClient.create(grown, 4 * rows.length);
    const bytes = async (what: RawBuilder<number>) =>
      (await sql<{ bytes: number }>`select ${what}::integer as bytes`.execute(grown.app.ctx.db))
        .rows[0]?.bytes ?? 0;
    const bytesOfResults = () => bytes(sql`pg_relation_size('results')`);
    const sizes: number[] = [];
    for (let time = 0; time < 4; time++) {
      const { id } = await client.start(rows);
      await client.whenEnded(id);
      const full = await bytesOfResults();
      await grown.call('deleteBatch', { id }, client.user);
      // By a job that the deletion enqueues.
      await until(async () => (await bytesOfResults()) < full / 2);
      sizes.push(await bytes(sql`pg_database_size(current_database())`));
    }
    expect((sizes[3] ?? 0) / (sizes[0] ?? 0)).toBeLessThan(1.2);
  },
);

it.skipIf(isPostgres)('vacuums tables whose rows are changed again and again', async () => {
  const { ctx } = server.app;
  const client = await BatchClient.create(server, 1_000);
  const { id } = await client.start(Array.from({ length: 1_000 }, (_, row) => `changed ${row}`));
  await client.whenEnded(id);
  const rows = Array.from({ length: 1_000 }, (_, row) => row);
  const noteAll = (round: number) =>
    server.call('judgeAnswers', { id, rows, note: `${round} `.repeat(100) }, client.user);
  for (let round = 0; round < 15; round++) expect((await noteAll(round)).status).toBe(200);
  const bytes = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select pg_total_relation_size('results')::integer as bytes`.execute(ctx.db);
    return rows[0]?.bytes ?? 0;
  };
  await jobs['batches.vacuum-worn'].run(ctx, {} as never);
  const before = await bytes();
  for (let round = 0; round < 10; round++) await noteAll(round);
  expect(await bytes()).toBeLessThan(1.2 * before);
});

it.each([
  ['fail', '{{a}}'.repeat(19_000), 'failed', 'x'.repeat(20)],
  ['are skipped', '{{a}}', 'skipped', ' '],
] as const)(
  'counts rows that %s, which cost no submission, from the start on',
  async (...given) => {
    const [, question, count, cell] = given;
    const user = await createUser(server);
    const rows = 2_000;
    const { body } = await server.upload(`a,b\n${`${cell},\n`.repeat(rows)}`, user);
    const file = body.file.id;
    const used = async () => (await server.call('listFiles', {}, user)).body.storage.used_bytes;
    const ask = (text: string) =>
      server.ask({ questionWithVariable: question + text, query: { file, start: true } }, user);
    const before = await used();
    const { batch } = (await ask('')).body;
    expect(await used()).toBeGreaterThan(before + 200 * rows);
    expect(await whenEnded(server, user, batch?.id ?? '')).toMatchObject({ [count]: rows });
    expect(await used()).toBeGreaterThan(before + 200 * rows);
    expect((await ask(' ')).status).toBe(200);
    expect(await ask('  ')).toMatchObject({ status: 507, body: { code: 'storage_full' } });
  },
);

it('counts notes towards the storage of a person', async () => {
  const client = await BatchClient.create(server, 100);
  const { id } = await client.start(['noted']);
  await client.whenEnded(id);
  await server.app.ctx.db
    .updateTable('batches')
    .set({ result_bytes: 10_000_000 })
    .where('id', '=', id)
    .execute();
  const judge = (change: object) =>
    server.call('judgeAnswers', { id, rows: [0], ...change }, client.user);
  expect((await judge({ note: 'too much' })).status).toBe(507);
  expect((await judge({ correction: ['too much'] })).status).toBe(507);
  expect((await judge({ judgement: 'right' })).status).toBe(200);
  const thousand = Array.from({ length: 1_000 }, (_, row) => row);
  expect((await judge({ rows: thousand, note: 'x'.repeat(1_000) })).status).toBe(422);
  expect((await judge({ note: null })).status).toBe(200);
});

it('resumes by itself when the disk of the database takes data again', async () => {
  const client = await BatchClient.create(server, 100);
  await asOwner(
    server,
    `
    create function refuse_as_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger full_disk before insert on results for each row execute function refuse_as_full();
    create trigger full_disk before insert on storage_probes for each row execute function refuse_as_full();`,
  );
  const { id } = await client.start(['one', 'two']);
  const paused = await client.when(id, ({ state }) => state === 'paused');
  expect(paused).toMatchObject({ pause_reason: 'storage_full', answered: 0, charged: 0 });
  await asOwner(server, 'drop function refuse_as_full() cascade');
  expect(await client.whenEnded(id)).toMatchObject({ state: 'completed', answered: 2, charged: 2 });
});

it('pauses a batch whose stored sheet is missing, and goes on when it is back', async () => {
  const client = await BatchClient.create(server, 10);
  const { body } = await server.upload('Prompt\none\ntwo\n', client.user);
  const restore = hideFilesOfSheet(server, body.file.id);
  const query = { file: body.file.id, start: true };
  const started = await server.ask({ questionWithVariable: '{{Prompt}}', query }, client.user);
  const id = started.body.batch?.id ?? '';
  const isPaused = async () => (await client.batch(id)).state === 'paused';
  await until(isPaused);
  await client.play(id);
  await until(isPaused);
  expect(await client.batch(id)).toMatchObject({ pause_reason: 'sheet_unreadable', charged: 0 });
  restore();
  await client.play(id);
  expect(await client.whenEnded(id)).toMatchObject({ state: 'completed', answered: 2, charged: 2 });
});

it('starts no more batches at once than the storage has room for', async () => {
  const user = await createUser(server, { submissions: 30_000 });
  const files: string[] = [];
  for (let sheet = 0; sheet < 4; sheet++)
    files.push((await server.upload(`Prompt\n${'x\n'.repeat(2_500)}`, user)).body.file.id);
  const start = (file: string) =>
    server.ask({ questionWithVariable: '{{Prompt}} [[slow]]', query: { file, start: true } }, user);
  // Each reserves half of the storage for its rows.
  const answers = await Promise.all(files.map(start));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 507, 507, 507]);
  for (const { body } of answers)
    if (body.batch) await server.call('stopFileProcessing', { id: body.batch.id }, user);
});

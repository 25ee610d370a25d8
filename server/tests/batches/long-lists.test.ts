import { batchOrders, roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { findBreaches } from '../../src/db/invariants.ts';
import { mergeCounts } from '../../src/domains/batches/store/batch-counts.ts';
import { updateBatch } from '../../src/domains/batches/store/batches.ts';
import { listBatches } from '../../src/domains/batches/store/list-batches.ts';
import { reopenFailedSlices } from '../../src/domains/batches/store/slices.ts';
import { ensureLimits, updateLimits } from '../../src/domains/credits/store.ts';
import { updateUser } from '../../src/domains/identity/store/users.ts';
import { searched } from '../../src/lib/search.ts';
import { BatchClient } from '../support/batches.ts';
import { isPostgres } from '../support/databases.ts';
import { explainStatements } from '../support/statements.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';

const server = await startTestServer({ CHAT_BASE_URL: 'demo' });
const operator = await createUser(server, { roleId: roles.operator });

const page = (start: number) => ({ start, limit: 20, search: '' });

/** Of a new client, whose other batches are copies of it. */
async function stoppedBatch() {
  const by = await BatchClient.create(server, 10);
  const { id } = await by.start(['one', 'two']);
  await by.whenEnded(id);
  await updateBatch(server.app.ctx.db, id, { state: 'stopped' });
  return { client: by.user, id };
}

describe('long lists', () => {
  it('of batches are counted in each state and read from either end', async () => {
    const { client, id } = await stoppedBatch();
    await sql`insert into batches select (jsonb_populate_record(batches, jsonb_build_object(
        'id', 'copy-' || n, 'start_key', null, 'state', 'completed', 'reserved', 0, 'name', 'Grünes Heft ' || n || '.csv'
      ))).* from batches, generate_series(1, 1100) n where id = ${id}`.execute(server.app.ctx.db);
    const list = async (request: object) =>
      (await server.call('getProcessedFiles', { ...page(0), ...request }, client)).body;
    expect(await list({})).toMatchObject({
      total: 1_101,
      counts: { completed: 1_100, stopped: 1 },
    });
    expect(await list({ state: 'stopped' })).toMatchObject({ total: 1, files: [{ id }] });
    expect(await list({ start: 1_040 })).toMatchObject({ total: 1_101 });
    expect(await list({ start: 1_200 })).toMatchObject({ total: 1_101, files: [] });
    const last = await list({ start: 1_090 });
    expect([last.total, last.files.length]).toEqual([1_101, 11]);
    expect(await list({ search: 'HEFT 777' })).toMatchObject({
      total: 1,
      searched: { names: 5_000, prompts: 1_000 },
      files: [{ id: 'copy-777' }],
    });
    expect(await list({ search: 'grünes heft 77' })).toMatchObject({ total: 11 });
    expect(await list({ search: 'row', sort: 'charged' })).toMatchObject({ total: 0, files: [] });
    expect(await list({ search: 'heft' })).toMatchObject({
      total: 1_100,
      counts: { completed: 1_100, stopped: 0 },
    });
    for (const sort of batchOrders)
      for (const state of [undefined, 'completed'] as const) {
        const of = { userId: client.id, search: '', state, sort };
        const read = async (limit: number) => {
          const found = [];
          for (let start = 0; start < last.total; start += limit) {
            const { rows } = await listBatches(server.app.ctx.db, { ...of, start, limit });
            found.push(...rows.map((row) => row.id));
          }
          return found;
        };
        const found = await read(300);
        expect(new Set(found).size, JSON.stringify(of)).toBe(state ? 1_100 : 1_101);
        expect(await read(170), 'other pages, the same order').toEqual(found);
      }
  });

  it('of failed rows are looked up by index for each slice, even without statistics', async () => {
    const { explained, plans } = explainStatements(server.app.ctx);
    const slices = { batchId: 'a batch', first: 0, end: 512 };
    await reopenFailedSlices(explained.db, { ...slices, crashCountsAtMost: 2 });
    expect(plans.join('\n')).toMatch(/Index Cond: .*"row" >= slices.first/);
  });

  it('of failed rows are retried some thousand at a time, all within one run', async () => {
    const count = 5_200;
    const by = await BatchClient.create(server, count);
    const { id } = await by.start(Array(count).fill(' '));
    const { db } = server.app.ctx;
    expect(await by.whenEnded(id)).toMatchObject({ skipped: count });
    for (const [state, failed] of [
      ['completed', count - 5_120],
      ['stopped', count - 5_000],
    ] as const) {
      await sql`update results set state = 'failed', problem = ${state} where batch_id = ${id}`.execute(
        db,
      );
      await updateBatch(db, id, { state, failed: count, skipped: 0 });
      const { body } = await by.retryFailed(id);
      expect(body.batch).toMatchObject({ state: 'running', failed, held: count });
      expect(await by.whenEnded(id)).toMatchObject({
        state: 'completed',
        failed: 0,
        skipped: count,
        charged: 0,
      });
      const last = { id, start: count - 1, limit: 1 };
      const { rows } = (await server.call('getRows', last, by.user)).body;
      expect(rows[0]).toMatchObject({ state: 'skipped', earlier_problem: state });
    }
  });

  it('of batches are counted while many change at once', async () => {
    const { client, id } = await stoppedBatch();
    const { db } = server.app.ctx;
    const add = async (place: number) => {
      const copy = { id: `side-${place}`, start_key: null, state: 'ready', reserved: 0 };
      await sql`insert into batches select (jsonb_populate_record(batches, ${JSON.stringify(copy)}::jsonb)).*
        from batches where id = ${id}`.execute(db);
      await mergeCounts(db, client.id);
      await updateBatch(db, copy.id, { state: place % 3 ? 'completed' : 'stopped' });
      if (place % 2) await updateBatch(db, copy.id, { deleted_at: server.clock.now() });
    };
    for (let first = 0; first < 60; first += 6)
      await Promise.all(Array.from({ length: 6 }, (_, place) => add(first + place)));
    await db
      .transaction()
      .execute(async (undone) => {
        await updateBatch(undone, 'side-2', { state: 'stopped' });
        await mergeCounts(undone, client.id);
        throw new Error('undone');
      })
      .catch(() => {});
    expect((await server.call('getProcessedFiles', page(0), client)).body).toMatchObject({
      total: 31,
      counts: { ready: 0, completed: 20, stopped: 11 },
    });
    expect(await findBreaches(db, 'the counts of batches match the batches')).toMatchObject({
      ids: [],
    });
  });

  it.runIf(!isPostgres)('of batches and single prompts of a day are added up', async () => {
    const busy = await createUser(server, { submissions: 300 });
    const days = [server.clock.now().toISOString()];
    const { body } = await server.upload('Number,Prompt\n000,only\n', busy);
    const query = { file: body.file.id, start: true };
    const start = { query, questionWithVariable: 'Use {{Prompt}}' };
    for (let count = 0; count < 212; count++)
      expect((await server.ask(start, busy)).status).toBe(200);
    for (let count = 0; count < 7; count++)
      await server.ask({ question: 'And this?', query: {} }, busy);
    const usage = async () => (await server.call('getUsage', { days }, busy)).body;
    await expect.poll(usage).toMatchObject({ charged: [219], answered: 219, failed: 0 });
    const left = await server.balance(busy);
    expect(left).toBe(300 - 219);
    expect(
      await findBreaches(server.app.ctx.db, 'the counts of answers match the batches and prompts'),
    ).toMatchObject({ ids: [] });
    const { db } = server.app.ctx;
    await sql`update single_prompts set state = 'failed' where id in (
      select id from single_prompts where user_id = ${busy.id} and batch_id is null limit 2)`.execute(
      db,
    );
    expect(await usage()).toMatchObject({ answered: 217, failed: 2 });
    await sql`delete from single_prompts where user_id = ${busy.id}`.execute(db);
    expect(await usage()).toMatchObject({ answered: 212, failed: 0 });
  });

  it('of audit entries and activity are counted a little beyond the page', async () => {
    const client = await createUser(server);
    for (let more = 0; more < 20; more++) await createUser(server);
    await sql`insert into audit_entries (id, at, actor_id, subject_id, act, detail, request_id)
      select 'many-' || n, now(), ${client.id}, ${client.id}, 'client_limits_set', '{}', 'of-many'
      from generate_series(1, 1100) n`.execute(server.app.ctx.db);
    const ids = async (start: number) =>
      (await server.call('getAuditLog', page(start), operator)).body.entries.map(({ id }) => id);
    const { db } = server.app.ctx;
    const { length } = await db.selectFrom('audit_entries').select('id').execute();
    const first = await db.selectFrom('audit_entries').select('id').orderBy('at').orderBy('id');
    const oldest = (await first.limit(20).execute()).map(({ id }) => id).reverse();
    expect(await ids(length - 20), 'the last page, from the other end').toEqual(oldest);
    expect(await ids(length - 5)).toEqual(oldest.slice(15));
    expect(await ids(length)).toEqual([]);
    const everyone = await server.call('getPeople', page(0), operator);
    expect(everyone.body.total, 'more people than are looked up one by one').toBeGreaterThan(20);
    const { total } = everyone.body;
    const end = (await server.call('getPeople', page(total - 2), operator)).body;
    expect([end.total, end.people.length]).toEqual([total, 2]);
    for (const search of ['', client.id, client.email, 'of-many', '@', 'Limits set'])
      expect(await server.call('getAuditLog', { ...page(0), search }, operator)).toMatchObject({
        body: { total: 1_001, ...(search && { searched: { acts: 10_000, reasons: 1_000 } }) },
      });
    expect(await server.call('getActivity', page(1_090), client)).toMatchObject({
      body: { total: 1_100 },
    });
  });

  it('of clients are sorted, and filtered by what needs their admin', async () => {
    const { db } = server.app.ctx;
    const admin = await createUser(server, { roleId: roles.admin });
    const { client: running, id: batchId } = await stoppedBatch();
    const day = (of: number) => new Date(Date.UTC(2026, 0, of));
    const people = [
      { first_name: 'bo', submissions: 8, last_seen_at: day(2) },
      { first_name: 'Cy', submissions: 4, last_seen_at: null },
      { first_name: 'Al', submissions: 0, last_seen_at: day(3) },
      { first_name: 'Di', submissions: 0, last_seen_at: null, password_hash: null },
    ];
    for (const [index, { submissions, ...person }] of people.entries()) {
      const { id } = index === 0 ? running : await createUser(server, { submissions });
      const more = { admin_id: admin.id, last_name: 'Person', created_at: day(index + 1) };
      await updateUser(db, id, { ...person, ...more });
      await ensureLimits(db, id);
      await updateLimits(db, id, { low_balance_at: 5 });
    }
    const list = async (request: object) => {
      const { body } = await server.call('userList', { ...page(0), ...request }, admin);
      const names = body.users.map(({ first_name }: { first_name: string }) => first_name);
      return `${body.total}: ${names.join(' ')}`;
    };
    expect(await list({})).toBe('4: Di Al Cy bo');
    expect(await list({ sort: 'name' })).toBe('4: Al bo Cy Di');
    expect(await list({ sort: 'last_seen' })).toMatch(/^4: Al bo (Cy Di|Di Cy)$/);
    expect(await list({ sort: 'balance' })).toMatch(/^4: (Al Di|Di Al) Cy bo$/);
    expect(await list({ sort: 'name', start: 1, limit: 2 })).toBe('4: bo Cy');
    expect(await list({ sort: 'name', start: 9 })).toBe('4: ');
    expect(await list({ filter: 'invited' })).toBe('1: Di');
    expect(await list({ filter: 'low', sort: 'balance' })).toBe('2: Al Cy');
    expect(await list({ filter: 'low', search: 'cy' })).toBe('1: Cy');
    expect(await list({ filter: 'running' })).toBe('0: ');
    await updateBatch(db, batchId, { state: 'running' });
    expect(await list({ filter: 'running' })).toBe('1: bo');
    await updateBatch(db, batchId, { state: 'stopped' });
  });

  it('of people are searched by name among the newest, and by address among all', async () => {
    const { db } = server.app.ctx;
    const admin = await createUser(server, { roleId: roles.admin });
    const create = () => createUser(server, { adminId: admin.id });
    const [early, late] = [await create(), await create()];
    const people = (search: string) => server.call('getPeople', { ...page(0), search }, operator);
    const clients = (search: string) => server.call('userList', { ...page(0), search }, admin);
    for (const answer of [await people(early.id), await clients(early.id)])
      expect(answer.body).toMatchObject({ total: 1 });
    expect((await people(early.id)).body.searched).toBeUndefined();
    const template = db.selectFrom('users').selectAll().where('id', '=', late.id);
    const { search_text: _, ...row } = await template.executeTakeFirstOrThrow();
    const columns = Object.keys(row).filter(
      (name) => !['id', 'email', 'created_at'].includes(name),
    );
    const same = sql.join(columns.map((name) => sql.ref(name)));
    await sql`insert into users (id, email, created_at, ${same})
      select 'one-of-many-' || n, 'one-of-many-' || n || '@example.test', now() + interval '1 day', ${same}
      from users, generate_series(1, ${sql.lit(searched.people)}) n where id = ${late.id}`.execute(
      db,
    );
    const bound = { searched: { people: searched.people } };
    for (const list of [people, clients]) {
      expect((await list('one-of-many')).body).toMatchObject({ total: 1_001, ...bound });
      expect((await list(early.email.slice(0, -1))).body).toMatchObject({ total: 0, ...bound });
      for (const whole of [early.id, early.email])
        expect((await list(whole)).body).toMatchObject({ total: 1, ...bound });
    }
  });
});

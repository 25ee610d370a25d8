import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PreparedStatements } from './prepared-statements.ts';

let database: PGlite;
let statements: PreparedStatements;
beforeAll(async () => {
  database = await PGlite.create();
  statements = new PreparedStatements(database);
  await statements.runScript(
    'create table kinds (id integer primary key, data jsonb, names text[], at timestamptz, big bigint)',
  );
});
afterAll(() => database.close());

const run = (text: string, values: unknown[] = [], beginsTransaction = false) =>
  statements.run(text, values, { beginsTransaction });

it('reads back values of every type', async () => {
  const at = new Date('2030-01-02T03:04:05.678Z');
  const insert =
    'insert into kinds (id, data, names, at, big) values ($1, $2, $3, $4, $5), ($6, null, null, null, null)';
  const values = [1, { a: [1, 'b"', null] }, ['x,y', 'z"'], at, 9_007_199_254_740_991, 2];
  expect(await run(insert, values)).toEqual({ rows: [], affectedRows: 2 });
  const select = 'select * from kinds where id = any($1) order by id';
  const first = {
    id: 1,
    data: { a: [1, 'b"', null] },
    names: ['x,y', 'z"'],
    at,
    big: 9_007_199_254_740_991,
  };
  const second = { id: 2, data: null, names: null, at: null, big: null };
  for (const _ of [1, 2]) expect((await run(select, [[1, 2]])).rows).toEqual([first, second]);
  expect(
    (
      await run(
        'select count(*) as n, true as yes, $1::jsonb as none, 1.5::float8 as half from kinds',
        ['null'],
      )
    ).rows,
  ).toEqual([{ n: 2, yes: true, none: null, half: 1.5 }]);
});

it('counts changed rows and returns the selected columns', async () => {
  const update = 'update kinds set big = $1 where id >= $2 returning id';
  const { rows, affectedRows } = await run(update, [5, 1]);
  expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
  expect(affectedRows).toBe(2);
  expect(await run('delete from kinds where id = $1', [99])).toEqual({ rows: [], affectedRows: 0 });
});

it('begins a transaction with its first statement and rolls it back after a failure', async () => {
  const insert = 'insert into kinds (id) values ($1)';
  await run(insert, [10], true);
  await expect(run(insert, [10])).rejects.toMatchObject({
    code: '23505',
    constraint: 'kinds_pkey',
    table: 'kinds',
  });
  await expect(run('select 1 as one')).rejects.toMatchObject({ code: '25P02' });
  await run('rollback');
  expect((await run('select id from kinds where id = $1', [10])).rows).toEqual([]);
  await run(insert, [11], true);
  await run('commit');
  expect((await run('select id from kinds where id = $1', [11])).rows).toEqual([{ id: 11 }]);
});

it('works after a statement that cannot be parsed', async () => {
  await expect(run('select nothing from nowhere')).rejects.toMatchObject({ code: '42P01' });
  expect((await run('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

it('prepares a statement again after its table has changed', async () => {
  const select = 'select * from kinds where id = 1';
  for (const _ of [1, 2])
    expect(Object.keys((await run(select)).rows[0] as object)).toHaveLength(5);
  await run('alter table kinds add column later text');
  expect(Object.keys((await run(select)).rows[0] as object)).toHaveLength(6);
  await statements.runScript('alter table kinds drop column later');
  expect(Object.keys((await run(select)).rows[0] as object)).toHaveLength(5);
});

it('caches at most 300 statements', async () => {
  for (let index = 0; index < 320; index++)
    expect((await run(`select ${index} as value`)).rows).toEqual([{ value: index }]);
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::integer as count from pg_prepared_statements',
  );
  expect(rows).toEqual([{ count: 300 }]);
  expect((await run('select 0 as value')).rows).toEqual([{ value: 0 }]);
});

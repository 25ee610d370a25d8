import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Context } from '../../src/core/context.ts';
import { EmbeddedDatabase } from '../../src/db/embedded/embedded-database.ts';
import { embeddedDialect } from '../../src/db/embedded/embedded-dialect.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Schema } from '../../src/db/schema.ts';
import { inPersistentTransaction } from '../../src/db/transaction.ts';
import { withIdempotencyKey } from '../../src/domains/requests/idempotency-keys.ts';
import { ServiceUnavailable } from '../../src/lib/unavailable.ts';
import { until } from '../support/waiting.ts';

/**
 * A database whose thread dies as a transaction is committed. When it is open again, another one
 * gets the number of the lost transaction.
 */
async function openDying(stack: AsyncDisposableStack) {
  const folder = mkdtempSync(join(tmpdir(), 'rowmill-commits-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const database = stack.use(await EmbeddedDatabase.open(join(folder, 'database')));
  const state = { diesAtCommit: false };
  const db = new Kysely<Schema>({
    dialect: embeddedDialect({
      turns: database.turns,
      get session() {
        const { session } = database;
        const query: typeof session.query = async (text, values, options) => {
          if (text === 'commit' && state.diesAtCommit) {
            state.diesAtCommit = false;
            await session.end('the test ends it');
            await until(() => database.session !== session);
            await database.query(`insert into kept values ('other')`, []);
          }
          return session.query(text, values, options);
        };
        return { query };
      },
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    }),
  });
  await migrate(db);
  await sql`create table kept (what text)`.execute(db);
  const keep = (what: string) => (ctx: { db: typeof db }) =>
    sql`insert into kept values (${what})`.execute(ctx.db).then(() => ({ what }));
  const kept = async () =>
    (await sql<{ what: string }>`select what from kept order by what`.execute(db)).rows.map(
      ({ what }) => what,
    );
  return { db, keep, kept, state };
}

it('repeats a paid transaction whose number went to another one after the thread died', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, keep, kept, state } = await openDying(stack);
  state.diesAtCommit = true;
  expect(await inPersistentTransaction({ db }, keep('paid'))).toEqual({ what: 'paid' });
  expect(await kept()).toEqual(['other', 'paid']);
});

it('refuses a request whose transaction was lost, and carries out its repetition', async () => {
  await using stack = new AsyncDisposableStack();
  const { db, keep, kept, state } = await openDying(stack);
  const ctx = { db, clock: { now: () => new Date() } } as Context;
  await sql`insert into users (id, email, first_name, last_name, phone, role_id, created_at)
    values ('a', 'a@example.test', 'Ada', 'Able', '', 1, now())`.execute(db);
  const keyed = { userId: 'a', subjectId: 'a', key: 'k', call: '/x', body: {} };
  const request = () => withIdempotencyKey(ctx, keyed, keep('request'));
  state.diesAtCommit = true;
  await expect(request()).rejects.toThrow(ServiceUnavailable);
  expect(await request()).toEqual({ what: 'request' });
  expect(await request()).toEqual({ what: 'request' });
  expect(await kept()).toEqual(['other', 'request']);
});

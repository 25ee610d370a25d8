import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { findBrokenInvariants } from '../../src/db/invariants.ts';
import { addCostParts } from '../../src/domains/providers/store.ts';
import { day } from '../../src/lib/clock.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startWithProviders } from '../support/providers.ts';
import { asOwner } from '../support/test-server.ts';
import { createSession, createUser, password } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const { server, second, operator, client, ...stage } = await startWithProviders();
const { addProvider, addModel, ask, start, batchNow, stateOf } = stage;
const { db } = server.app.ctx;

type Group = 'day' | 'model' | 'client';
const costs = async (by: Group, days = 7) =>
  (await server.call('getCosts', { by, days }, operator)).body.rows;
const costsOf = async (by: Group, key: string) => (await costs(by)).find((row) => row.key === key);
const newModel = async () => (await addModel((await addProvider()).id)).name;
const nextDay = async () => {
  server.clock.advance(day);
  for (const user of [client, operator]) user.token = await createSession(server, user.id);
};
/** Lets a provider that holds its answers give some of them. */
const answerTo = (id: string, answered: number) =>
  until(async () => {
    const { answered: now } = await batchNow(id);
    if (now < answered) second.releaseHeld(answered - now);
    return now >= answered;
  });

const parts = () => db.selectFrom('cost_parts').selectAll().execute();

describe('the stored sums of costs', () => {
  afterEach(async () => {
    const before = [await costs('day'), await costs('model'), await costs('client')];
    await expectLedgerChecksToPass(server);
    await addCostParts(db);
    expect(await parts()).toEqual([]);
    expect([await costs('day'), await costs('model'), await costs('client')]).toEqual(before);
    await expectLedgerChecksToPass(server);
  });

  it('count a batch once while it runs, when it pauses, goes on, stops and is deleted', async () => {
    const model = await newModel();
    const id = await start(model, { rows: 30, mark: '[[held]]' });
    await answerTo(id, 5);
    // Answers may be stored between the two calls.
    const isRight = () =>
      until(async () => {
        const { answered, charged, tokens } = await batchNow(id);
        const row = await costsOf('model', model);
        return isDeepStrictEqual(
          [answered, charged, tokens],
          row && [row.answers, row.submissions, row.tokens],
        );
      });
    const whenNoneIsAsked = () =>
      until(() => {
        second.releaseHeld();
        return second.inFlight === 0;
      });
    await isRight();
    await addCostParts(db);
    await server.call('playOrPause', { id, status: 'pause' }, client);
    await whenNoneIsAsked();
    await isRight();
    await addCostParts(db);
    await server.call('playOrPause', { id, status: 'play' }, client);
    await answerTo(id, 20);
    await isRight();
    await server.call('stopFileProcessing', { id }, client);
    await whenNoneIsAsked();
    await until(async () => (await batchNow(id)).held === 0);
    await isRight();
    const before = await costsOf('model', model);
    expect((await server.call('deleteBatch', { id }, client)).status).toBe(200);
    expect(await costsOf('model', model)).toEqual(before);
  });

  it('count what a batch has cost for the model that it had then', async () => {
    const [model, other] = [await newModel(), await newModel()];
    const file = (await server.upload('Prompt\na\n[[length]]\n', client)).body.file.id;
    const { body } = await server.ask({ query: { file, model, start: true } }, client);
    const id = body.batch?.id ?? '';
    await until(async () => (await stateOf(id)) === 'completed');
    const before = await costsOf('model', model);
    const change = { id, model: other };
    await until(async () => {
      const { status } = await server.call('changeBatchOptions', change, client);
      return status === 200;
    });
    await until(async () => (await server.call('retryFailed', { id }, client)).status === 200);
    await until(async () => (await stateOf(id)) === 'completed');
    expect(before).toMatchObject({ answers: 1 });
    expect(await costsOf('model', model)).toEqual(before);
    expect(await costsOf('model', other)).toMatchObject({ answers: 0, tokens: expect.anything() });
  });

  it('count a batch on the day of its start, also what was previewed or retried', async () => {
    const model = await newModel();
    const file = (await server.upload('Prompt\na\n[[length]]\n', client)).body.file.id;
    const query = { file, model };
    await server.ask({ query: { ...query, preview: 2 } }, client);
    await nextDay();
    const { body } = await server.ask({ query: { ...query, start: true } }, client);
    const id = body.batch?.id ?? '';
    await until(async () => (await stateOf(id)) === 'completed');
    const ofDays = async () => {
      await addCostParts(db);
      const sums = db.selectFrom('cost_sums').where('model', '=', model).where('answers', '<>', 0);
      return sums.select([sql`day::text`.as('day'), 'answers', 'input_tokens']).execute();
    };
    const started = server.clock.now().toISOString().slice(0, 10);
    const [first, ...more] = await ofDays();
    expect(more).toEqual([]);
    expect(first).toMatchObject({ day: started, answers: 1 });
    await nextDay();
    await server.call('retryFailed', { id }, client);
    await until(async () => (await stateOf(id)) === 'completed');
    const [again, ...others] = await ofDays();
    expect(others).toEqual([]);
    expect(again).toMatchObject({ day: started, answers: 1 });
    expect(again?.input_tokens).toBeGreaterThan(first?.input_tokens ?? 0);
  });

  it('keep what the prompts of a deleted person cost', async () => {
    const model = await newModel();
    const person = await createUser(server, { submissions: 10 });
    expect((await ask(model, {}, person)).status).toBe(200);
    const before = await costsOf('model', model);
    expect(before).toMatchObject({ answers: 1, submissions: 3 });
    const request = { current_password: password };
    expect((await server.call('deleteUserAccount', request, person)).status).toBe(200);
    expect(await costsOf('model', model)).toEqual(before);
    expect(await costsOf('client', person.id)).toMatchObject({ answers: 1, submissions: 3 });
  });

  it('pass their check when an account could only be deleted in part', async () => {
    const model = await newModel();
    const person = await createUser(server, { submissions: 10 });
    expect((await ask(model, {}, person)).status).toBe(200);
    const before = await costsOf('client', person.id);
    await asOwner(
      server,
      `create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'locked' using errcode = '55P03'; end $$;
      create trigger refused before update of deleted_at on users for each row
        when (new.id = '${person.id}') execute function refuse()`,
    );
    const request = { current_password: password };
    const deletion = () => server.call('deleteUserAccount', request, person);
    expect((await deletion()).status).toBe(503);
    expect(await findBrokenInvariants(server.app.ctx.db)).toEqual([]);
    await asOwner(server, 'drop function refuse() cascade');
    expect((await deletion()).status).toBe(200);
    expect(await costsOf('client', person.id)).toEqual({ ...before, label: expect.any(String) });
  });

  it('have whole days in UTC, the present one included', async () => {
    const model = await newModel();
    const today = server.clock.now().toISOString().slice(0, 10);
    const at = (days: number, more: number) =>
      new Date(Date.parse(today) - days * day + more).toISOString();
    for (const [id, time] of [
      ['now', at(0, 0)],
      ['first', at(6, 0)],
      ['before', at(6, -1)],
    ])
      await sql`
        insert into single_prompts (id, user_id, actor_id, template, model, rows, state, charged, cost, asked_at)
        values (${id}, ${client.id}, ${client.id}, 'Why?', ${model}, 1, 'failed', 0, null, ${time})`.execute(
        db,
      );
    const unknown = async (days: number) =>
      (await costs('model', days)).find(({ key }) => key === model)?.unknown_costs;
    expect([await unknown(1), await unknown(7), await unknown(8)]).toEqual([1, 2, 3]);
    const days = (await costs('day')).map(({ key }) => key);
    expect(days).toContain(at(6, 0).slice(0, 10));
    expect(days).not.toContain(at(6, -1).slice(0, 10));
  });
});

it('is a failed ledger check when the stored costs do not match what is stored with answers', async () => {
  const model = await newModel();
  await ask(model);
  await db.updateTable('cost_parts').set({ cost: '1' }).where('model', '=', model).execute();
  expect(await findBrokenInvariants(db)).toEqual([
    {
      invariant: 'the stored costs match the batches and prompts',
      ids: [client.id],
      userIds: [],
    },
  ]);
});

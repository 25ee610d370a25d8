import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../fakes/chat/call-log.ts';
import { hour } from '../../src/lib/clock.ts';
import { probePrompt } from '../../src/texts/model-calls.ts';
import { startWithProviders } from '../support/providers.ts';
import { asOwner } from '../support/test-server.ts';
import { until } from '../support/waiting.ts';

const { server, first, second, operator, client, ...stage } = await startWithProviders();
const { addProvider, saveModel, addModel, ask, start, batchNow, stateOf } = stage;
const { db } = server.app.ctx;

const costs = async (by: 'day' | 'model' | 'client') =>
  (await server.call('getCosts', { by, days: 7 }, operator)).body.rows;
const costsOf = async (model: { name: string }) =>
  (await costs('model')).find(({ key }) => key === model.name);
const whenCompleted = (id: string) => until(async () => (await stateOf(id)) === 'completed');
const prompt = ({ name }: { name: string }, question: string, more: object = {}) =>
  server.ask({ question, query: { model: name, ...more } }, client);
/** Every token at the same cost, so that the total of a call is enough to compute it. */
const flat = (cost: number) => ({ input_cost: cost, cached_cost: cost, output_cost: cost });
const isOf =
  ({ name }: { name: string }) =>
  ({ prompt, status }: Call) =>
    status === 200 && prompt.includes(` of ${name} `);
const tokensIn = (calls: readonly Call[]) => calls.reduce((sum, { tokens }) => sum + tokens, 0);
const stored = (id: string) =>
  db
    .selectFrom('batches')
    .select(['cost', 'unknown_costs'])
    .where('id', '=', id)
    .executeTakeFirst();

describe('the cost of answers', () => {
  it('is that of the tokens that the provider counted', async () => {
    const model = await addModel((await addProvider()).id, {
      input_cost: 2_000_000,
      cached_cost: 1_000_000,
      output_cost: 8_000_000,
    });
    const id = await start(model.name);
    await whenCompleted(id);
    const row = await costsOf(model);
    const { input, cached, output } = row?.tokens ?? { input: 0, cached: 0, output: 0 };
    expect(row).toMatchObject({ label: model.label, answers: 12, submissions: 36 });
    expect([cached > 0, input > cached, output > 0]).toEqual([true, true, true]);
    // Of a million tokens, in hundredths.
    const expected = ((input - cached) * 2 + cached + output * 8) / 1e4;
    expect(row?.cost_minor).toBeCloseTo(expected, 9);
    expect(row?.unknown_costs).toBe(0);
    const ofClient = (await costs('client')).find(({ key }) => key === client.id);
    expect(ofClient).toMatchObject({ label: 'Pat Person', revenue_minor: null });
    const today = server.clock.now().toISOString().slice(0, 10);
    expect((await costs('day'))[0]?.key).toBe(today);
    // The batch has the sums of its rows, which are those of the provider.
    const { rows } = (await server.call('getRows', { id, start: 0, limit: 20 }, client)).body;
    const sum = (what: 'input' | 'cached' | 'output' | 'reasoning') =>
      rows.reduce((all, { tokens }) => all + (tokens?.[what] ?? 0), 0);
    expect((await batchNow(id)).tokens).toEqual({
      input: sum('input'),
      cached: sum('cached'),
      output: sum('output'),
      reasoning: sum('reasoning'),
    });
    expect(sum('reasoning')).toBeGreaterThan(0);
    expect(sum('input') + sum('output')).toBe(tokensIn(second.calls.filter(isOf(model))));
  });

  it('stays when the costs of the model change, and when the model is gone', async () => {
    const model = await addModel((await addProvider()).id, flat(2_000_000));
    await whenCompleted(await start(model.name));
    const before = await costsOf(model);
    const changed = await saveModel({ ...model, ...flat(900_000_000) });
    expect(changed.input_cost).toBe(900_000_000);
    expect(await costsOf(model)).toEqual(before);
    await db.deleteFrom('models').where('name', '=', model.name).execute();
    expect(await costsOf(model)).toEqual({ ...before, label: model.name });
  });

  it('is that of the fallback for the rows that it answered, and half in the flex tier', async () => {
    const fallback = await addModel(null, { ...flat(50_000_000), offered_to: 'none' });
    const { id: provider_id } = await addProvider();
    const model = await addModel(provider_id, {
      ...flat(3_000_000),
      fallback: fallback.name,
      has_flex: true,
    });
    const finish_by = new Date(server.clock.now().getTime() + 10 * hour).toISOString();
    const id = await start(model.name, { rows: 40, mark: '[[held]]', finish_by });
    // The batch may show answers late, so the provider counts those that it gave.
    await until(async () => {
      if (second.calls.filter(isOf(model)).length < 10) second.releaseHeld(1);
      return (await batchNow(id)).answered >= 10;
    });
    second.behave({ down: true });
    second.releaseHeld();
    await until(async () => {
      first.releaseHeld();
      return (await stateOf(id)) === 'completed';
    });
    second.behave({ down: false });
    expect(await batchNow(id)).toMatchObject({ answered: 40, failed: 0, price: 2, charged: 80 });
    const flex = second.calls.filter(isOf(model));
    expect(new Set(flex.map(({ options }) => options?.service_tier))).toEqual(new Set(['flex']));
    const normal = first.calls.filter(isOf(model));
    expect(flex.length + normal.length).toBe(40);
    expect(normal.length).toBeGreaterThan(0);
    const expected = tokensIn(flex) * 1_500_000 + tokensIn(normal) * 50_000_000;
    expect(await stored(id)).toEqual({ cost: `${expected}`, unknown_costs: 0 });
    const row = await costsOf(model);
    expect(row).toMatchObject({ answers: 40, submissions: 80 });
    expect(row?.cost_minor).toBeCloseTo(expected / 1e10, 9);
    expect(await costsOf(fallback)).toBeUndefined();
  });

  it('is what the operator pays in the flex tier of the model', async () => {
    const flex = { ...flat(6_000_000), has_flex: true, flex_cost_percent: 100 };
    const model = await addModel((await addProvider()).id, flex);
    expect(model.flex_cost_percent).toBe(100);
    const finish_by = new Date(server.clock.now().getTime() + 10 * hour).toISOString();
    const id = await start(model.name, { rows: 3, finish_by });
    await whenCompleted(id);
    const calls = second.calls.filter(isOf(model));
    expect(calls.map(({ options }) => options?.service_tier)).toEqual(['flex', 'flex', 'flex']);
    expect((await costsOf(model))?.cost_minor).toBeCloseTo((tokensIn(calls) * 6) / 1e4, 9);
    // The client pays half in any case.
    expect(await batchNow(id)).toMatchObject({ price: 2, charged: 6 });
  });

  it('is the full cost when the provider says that another tier answered', async () => {
    const model = await addModel((await addProvider()).id, { ...flat(6_000_000), has_flex: true });
    const finish_by = new Date(server.clock.now().getTime() + 10 * hour).toISOString();
    await whenCompleted(await start(model.name, { rows: 3, mark: '[[tier default]]', finish_by }));
    const calls = second.calls.filter(isOf(model));
    expect(calls.map(({ options }) => options?.service_tier)).toEqual(['flex', 'flex', 'flex']);
    expect((await costsOf(model))?.cost_minor).toBeCloseTo((tokensIn(calls) * 6) / 1e4, 9);
  });

  it('includes calls whose answers could not be used', async () => {
    const model = await addModel((await addProvider()).id, flat(4_000_000));
    const id = await start(model.name, { rows: 3, mark: '[[plain]]', outputs: ['tone'] });
    await whenCompleted(id);
    expect(await batchNow(id)).toMatchObject({ answered: 0, failed: 3, charged: 0 });
    // Each row was asked once more.
    const calls = second.calls.filter(isOf(model));
    expect(calls).toHaveLength(6);
    const { status } = await ask(model.name, { outputs: ['tone'] });
    expect(status).toBe(200);
    const single = second.calls.at(-1)?.tokens ?? 0;
    const row = await costsOf(model);
    expect(row).toMatchObject({ answers: 1, submissions: 3, unknown_costs: 0 });
    expect(row?.cost_minor).toBeCloseTo(((tokensIn(calls) + single) * 4) / 1e4, 9);
    // A retry adds to it, because the first calls were paid.
    await server.call('retryFailed', { id }, client);
    await whenCompleted(id);
    const all = second.calls.filter(isOf(model));
    expect(all).toHaveLength(12);
    expect((await costsOf(model))?.cost_minor).toBeCloseTo(((tokensIn(all) + single) * 4) / 1e4, 9);
  });

  it('of single prompts counts for the chosen model, also when they fail', async () => {
    const model = await addModel((await addProvider()).id, flat(1_000_000));
    const from = second.calls.length;
    const columns = { outputs: ['tone'] };
    expect((await prompt(model, 'What is baked?')).status).toBe(200);
    expect((await prompt(model, '[[length]]')).body.code).toBe('model_failed');
    expect((await prompt(model, '[[plain]]', columns)).body.code).toBe('model_failed');
    expect((await prompt(model, '[[status 400]]')).body.code).toBe('model_failed');
    expect((await prompt(model, '[[corrected down]]', columns)).body.code).toBe('model_failed');
    const calls = second.calls.slice(from).filter(({ prompt }) => prompt !== probePrompt);
    // The broken correction is sent twice.
    expect(calls).toHaveLength(8);
    const row = await costsOf(model);
    expect(row).toMatchObject({ label: model.label, answers: 1, submissions: 3, unknown_costs: 0 });
    expect(row?.cost_minor).toBeCloseTo(tokensIn(calls) / 1e4, 9);
  });

  it('includes answers that could not be stored, whose rows are asked again', async () => {
    const model = await addModel((await addProvider()).id, flat(1_000_000));
    const refuse = `
      create function refuse_as_full() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger full_disk before insert on results for each row execute function refuse_as_full();`;
    await asOwner(server, refuse);
    const id = await start(model.name, { rows: 3 });
    await until(async () => (await batchNow(id)).pause_reason === 'storage_full');
    await asOwner(server, 'drop function refuse_as_full() cascade');
    await whenCompleted(id);
    const calls = second.calls.filter(isOf(model));
    // The batch may have resumed while nothing could be stored yet.
    expect([6, 9, 12, 15]).toContain(calls.length);
    expect(await stored(id)).toEqual({ cost: `${tokensIn(calls) * 1_000_000}`, unknown_costs: 0 });
  });

  it('counts previewed rows once', async () => {
    const model = await addModel((await addProvider()).id, flat(1_000_000));
    const { body } = await server.upload(
      `Prompt\na of ${model.name} \nb of ${model.name} \n`,
      client,
    );
    const query = { file: body.file.id, model: model.name };
    await server.ask({ query: { ...query, preview: 1 } }, client);
    const started = await server.ask({ query: { ...query, start: true } }, client);
    await whenCompleted(started.body.batch?.id ?? '');
    const calls = second.calls.filter(isOf(model));
    expect(calls).toHaveLength(2);
    expect((await costsOf(model))?.cost_minor).toBeCloseTo(tokensIn(calls) / 1e4, 9);
  });

  it('of a preview includes rows that fail, which are not charged', async () => {
    const model = await addModel((await addProvider()).id, flat(1_000_000));
    const name = ` of ${model.name} `;
    const rows = ['fine', '[[plain]]', '[[corrected down]]', '[[length]]', '[[status 400]]'];
    const sheet = ['Prompt', ...rows.map((mark) => `Row${name}${mark}`)].join('\n');
    const file = (await server.upload(sheet, client)).body.file.id;
    const query = { file, model: model.name, outputs: ['tone'], preview: 5 };
    const from = second.calls.length;
    const { body } = await server.ask({ query }, client);
    const problems = body.answers?.map(({ problem }) => problem !== null);
    expect(problems).toEqual([false, true, true, true, true]);
    const calls = second.calls.slice(from).filter(isOf(model));
    // One row was answered, one was cut off, and two were asked again; one of these broke.
    expect(calls).toHaveLength(5);
    const row = await costsOf(model);
    expect(row).toMatchObject({ answers: 1, submissions: 3, unknown_costs: 0 });
    expect(row?.cost_minor).toBeCloseTo(tokensIn(calls) / 1e4, 9);
    // Another preview of failed rows adds to it.
    const again = (await server.ask({ query }, client)).body;
    expect(again.creditsAvailable).toBe(body.creditsAvailable);
    const all = second.calls.slice(from).filter(isOf(model));
    expect(all).toHaveLength(9);
    expect((await costsOf(model))?.cost_minor).toBeCloseTo(tokensIn(all) / 1e4, 9);
  });

  it('of a preview counts when its batch is deleted before the answers arrive', async () => {
    const model = await addModel((await addProvider()).id, flat(1_000_000));
    const sheet = `Prompt\nRow of ${model.name} [[held]]\n`;
    const file = (await server.upload(sheet, client)).body.file.id;
    const query = { file, model: model.name, preview: 1 };
    const previewed = server.ask({ query }, client);
    await until(() => second.inFlight > 0);
    const { id } = await db
      .selectFrom('batches')
      .select('id')
      .where('model', '=', model.name)
      .executeTakeFirstOrThrow();
    expect((await server.call('deleteBatch', { id }, client)).status).toBe(200);
    second.releaseHeld();
    expect((await previewed).body.answers).toMatchObject([{ answer: null }]);
    const row = await costsOf(model);
    expect(row).toMatchObject({ answers: 0, submissions: 0, unknown_costs: 0 });
    const tokens = tokensIn(second.calls.filter(isOf(model)));
    expect(tokens).toBeGreaterThan(0);
    expect(row?.cost_minor).toBeCloseTo(tokens / 1e4, 9);
  });

  it('of a preview counts when its batch is started without its row meanwhile', async () => {
    const model = await addModel((await addProvider()).id, flat(1_000_000));
    const prompts = ['first', 'second'].map((row) => `The ${row} of ${model.name} [[held]]`);
    const file = (await server.upload(['Prompt', ...prompts].join('\n'), client)).body.file.id;
    const query = { file, model: model.name };
    const previewed = server.ask({ query: { ...query, preview: 1, rows: [1] } }, client);
    await until(() => second.inFlight === 1);
    const started = (await server.ask({ query: { ...query, start: true, limit: 1 } }, client)).body;
    await until(() => second.inFlight === 2);
    second.releaseHeld(1);
    expect((await previewed).body.answers).toMatchObject([{ row: 1, answer: null }]);
    second.releaseHeld();
    await whenCompleted(started.batch?.id ?? '');
    const calls = second.calls.filter(isOf(model));
    expect(calls).toHaveLength(2);
    const row = await costsOf(model);
    expect(row).toMatchObject({ answers: 1, submissions: 3 });
    expect(row?.cost_minor).toBeCloseTo(tokensIn(calls) / 1e4, 9);
  });

  it('is unknown for answers without counted tokens or of a model without costs', async () => {
    const { id: provider_id } = await addProvider();
    const model = await addModel(provider_id, flat(1_000_000));
    await whenCompleted(await start(model.name, { rows: 2 }));
    const known = (await costsOf(model))?.cost_minor ?? 0;
    expect(known).toBeGreaterThan(0);
    await whenCompleted(await start(model.name, { rows: 3, mark: '[[uncounted]]' }));
    expect(await costsOf(model)).toMatchObject({ answers: 5, unknown_costs: 3, cost_minor: known });
    for (const mark of ['[[only input]]', '[[only output]]'])
      await whenCompleted(await start(model.name, { rows: 2, mark }));
    expect(await costsOf(model)).toMatchObject({ answers: 9, unknown_costs: 7, cost_minor: known });
    const costless = await addModel(provider_id, { ...flat(0), output_cost: null });
    await whenCompleted(await start(costless.name, { rows: 2 }));
    await ask(costless.name);
    expect(await costsOf(costless)).toMatchObject({ answers: 3, unknown_costs: 3, cost_minor: 0 });
  });

  it('is unknown for calls that failed with an answer whose tokens were not counted', async () => {
    const model = await addModel((await addProvider()).id, flat(1_000_000));
    const unknown = async () => (await costsOf(model))?.unknown_costs ?? 0;
    await whenCompleted(await start(model.name, { rows: 2, mark: '[[uncounted length]]' }));
    expect(await unknown()).toBe(2);
    const asked = { mark: '[[uncounted plain]]', outputs: ['tone'] };
    await whenCompleted(await start(model.name, { rows: 2, ...asked }));
    expect(await unknown()).toBe(4);
    for (const mark of ['[[uncounted length]]', '[[html]]', '[[huge]]']) await prompt(model, mark);
    expect(await unknown()).toBe(7);
    const sheet = `Prompt\nRow of ${model.name} [[uncounted length]]\n`;
    const file = (await server.upload(sheet, client)).body.file.id;
    const query = { file, model: model.name, preview: 1 };
    await server.ask({ query }, client);
    expect(await unknown()).toBe(8);
    expect(await costsOf(model)).toMatchObject({ answers: 0, cost_minor: 0 });
  });

  it('is unknown when a fallback answered after half an answer', async () => {
    const costs = { ...flat(1_000_000), offered_to: 'none' };
    const fallback = await addModel(null, { ...costs, asked_as: 'fake-large' });
    const { id: provider_id } = await addProvider();
    const model = await addModel(provider_id, { ...flat(1_000_000), fallback: fallback.name });
    expect((await prompt(model, '[[truncated fake-small]]')).status).toBe(200);
    expect(await costsOf(model)).toMatchObject({ answers: 1, unknown_costs: 1, cost_minor: 0 });
  });

  it('is nothing for calls that the provider did not answer', async () => {
    const model = await addModel((await addProvider()).id, flat(1_000_000));
    for (const mark of ['[[status 413]]', '[[status 429]]', '[[status 500]]', '[[reset]]'])
      await prompt(model, mark);
    await whenCompleted(await start(model.name, { rows: 2, mark: '[[status 413]]' }));
    expect(await costsOf(model)).toBeUndefined();
    await ask(model.name);
    expect(await costsOf(model)).toMatchObject({ answers: 1, unknown_costs: 0 });
  });

  it('is unknown when only one of two calls for a row was counted', async () => {
    const model = await addModel((await addProvider()).id, flat(1_000_000));
    const asked = { mark: '[[corrected uncounted]]', outputs: ['tone'] };
    const id = await start(model.name, { rows: 2, ...asked });
    await whenCompleted(id);
    expect(await batchNow(id)).toMatchObject({
      answered: 2,
      tokens: { input: expect.any(Number) },
    });
    expect(await stored(id)).toEqual({ cost: '0', unknown_costs: 2 });
  });

  it('is one row for all clients beyond the first 499, so that their sum is right', async () => {
    await sql`
      insert into users (id, email, first_name, last_name, password_hash, role_id, created_at)
      select 'payer-' || n, 'payer-' || n || '@example.test', 'Payer', n::text, 'none', 1, now()
      from generate_series(1, 600) n`.execute(db);
    await sql`
      insert into single_prompts (id, user_id, actor_id, template, model, rows, state, charged, cost, asked_at)
      select 'paid-' || id, id, id, 'Why?', 'acme', 1, 'answered', 2, 1, ${server.clock.now()}
      from users where id like 'payer-%'`.execute(db);
    const [clients, models] = [await costs('client'), await costs('model')];
    expect(clients).toHaveLength(500);
    const others = clients.at(-1);
    expect(others).toMatchObject({ key: 'others', label: `${others?.answers} others` });
    expect(others?.answers).toBeGreaterThan(100);
    const sum = (rows: typeof clients, what: 'submissions' | 'cost_minor') =>
      rows.reduce((all, row) => all + row[what], 0);
    expect(sum(clients, 'submissions')).toBe(sum(models, 'submissions'));
    expect(sum(clients, 'cost_minor')).toBeCloseTo(sum(models, 'cost_minor'), 6);
  });
});

describe('the revenue of submissions', () => {
  const order = (id: string, more: Record<string, number>) => {
    const { total, tax, reversed = 0, granted = 0, taken = 0 } = more;
    return sql`
      insert into orders (id, user_id, actor_id, type, description, submissions, total_minor, tax_minor, tax_name,
        tax_basis_points, currency, payment_method, payment_status, billing_address, granted, taken_back, reversed_minor, created_at, paid_at)
      select ${id}, ${client.id}, ${client.id}, 'credits', 'Submissions', ${granted}, ${total}, ${tax}, 'VAT',
        2000, currency, 'card', 'paid', '{}', ${granted}, ${taken}, ${reversed}, ${server.clock.now()}, ${server.clock.now()} from tax`.execute(
      db,
    );
  };
  const perSubmission = async () => {
    const { revenue_minor, submissions } = (await costs('model'))[0] ?? { submissions: 0 };
    return revenue_minor && revenue_minor / submissions;
  };

  it('is the income from those sold, whatever was refunded, disputed or given', async () => {
    await order('refunded', { total: 600, tax: 100, granted: 10, reversed: 600, taken: 10 });
    expect(await perSubmission()).toBeNull();
    await order('kept', { total: 600, tax: 100, granted: 10 });
    expect(await perSubmission()).toBeCloseTo(50, 9);
    await order('half', { total: 600, tax: 100, granted: 10, reversed: 300, taken: 5 });
    expect(await perSubmission()).toBeCloseTo(50, 9);
    await order('disputed', {
      total: 1_200,
      tax: 200,
      granted: 20,
      reversed: 1_200,
      taken: 20,
    });
    expect(await perSubmission()).toBeCloseTo(50, 9);
    const gift = { user_id: client.id, change: 1_000_000, reason: 'A gift' };
    expect((await server.call('updateCreditCount', gift, operator)).status).toBe(200);
    expect(await perSubmission()).toBeCloseTo(50, 9);
  });
});

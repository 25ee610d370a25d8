import { describe, expect, it } from 'vitest';
import { modelToSave } from '../support/models.ts';
import { startWithProviders } from '../support/providers.ts';
import { createUser, type TestUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const { server, first, second, operator, client, ...stage } = await startWithProviders();
const { providerToSave, addProvider, addModel, ask, start, batchNow, stateOf } = stage;
const admin = await createUser(server, { roleId: 2, submissions: 1_000 });
const offeredTo = async (by: TestUser) => (await server.call('getModels', {}, by)).body.models;
const modelToRefuse = { ...modelToSave, name: 'refused-model', label: 'Refused' };

describe('a model', () => {
  it('is offered to those whom it is for', async () => {
    const { id } = await addProvider();
    const forAdmins = await addModel(id, { offered_to: 'admins' });
    const hidden = await addModel(id, { offered_to: 'none' });
    const seenBy = async (by: TestUser) => (await offeredTo(by)).map(({ id }) => id);
    expect(await seenBy(client)).not.toContain(forAdmins.name);
    expect(await seenBy(admin)).toContain(forAdmins.name);
    expect(await seenBy(admin)).not.toContain(hidden.name);
    expect(await ask(forAdmins.name)).toMatchObject({
      status: 422,
      body: { fields: { 'query.model': expect.any(String) } },
    });
  });

  it('refuses options that it does not take', async () => {
    const { name, label } = await addModel((await addProvider()).id, { options: ['system'] });
    const choice = (await offeredTo(client)).find(({ id }) => id === name);
    expect(choice?.options).toEqual(['system']);
    expect(
      await ask(name, { temperature: 1, outputs: ['tone'], system: 'Be kind.' }),
    ).toMatchObject({
      status: 422,
      body: {
        fields: {
          'query.temperature': `${label} does not accept a temperature. Leave it empty, or choose another model.`,
          'query.outputs': expect.any(String),
        },
      },
    });
    expect((await ask(name, { system: 'Be kind.' })).status).toBe(200);
  });

  it('is asked with the options of a batch, also after they changed', async () => {
    const options = ['top_p', 'stop', 'seed', 'reasoning_effort'];
    const { name } = await addModel((await addProvider()).id, { options });
    const { body } = await server.upload('Prompt\nOne END two\n', client);
    const set = {
      top_p: 0.5,
      stop: ['END', '\u00a0###'],
      seed: 0,
      reasoning_effort: 'low' as const,
    };
    const query = { file: body.file.id, model: name, ...set, preview: 1 };
    const previewed = await server.ask({ query }, client);
    expect(previewed.body.answers).toMatchObject([{ answer: 'Answer to: One ' }]);
    const { preview: _, ...start } = { ...query, start: true };
    const batch = (await server.ask({ query: start }, client)).body.batch;
    expect(batch).toMatchObject({ ...set, answered: 1, temperature: null });
    expect(second.calls.at(-1)?.options).toEqual(set);
    expect(await ask(name, { seed: 7, temperature: 1 })).toMatchObject({
      status: 422,
      body: { fields: { 'query.temperature': expect.stringContaining('a temperature') } },
    });
  });

  it.each([
    ['no stop text', { stop: [] }, 'query.stop'],
    ['a blank stop text', { stop: ['a', ' '] }, 'query.stop.1'],
    ['five stop texts', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'query.stop'],
    ['half a seed', { seed: 1.5 }, 'query.seed'],
    ['too large a top-p', { top_p: 2 }, 'query.top_p'],
    ['an unknown effort', { reasoning_effort: 'extreme' }, 'query.reasoning_effort'],
  ])('is not asked with %s', async (_what, more, field) => {
    expect(await ask('fake-small', more)).toMatchObject({
      status: 422,
      body: { fields: { [field]: expect.any(String) } },
    });
  });

  it('is offered and asked with the reasoning efforts that it accepts', async () => {
    const accepted = { options: ['reasoning_effort'], reasoning_efforts: ['none', 'high'] };
    const { name, label } = await addModel((await addProvider()).id, accepted);
    const offered = await offeredTo(client);
    expect(offered.find(({ id }) => id === name)?.reasoning_efforts).toEqual(['none', 'high']);
    expect(offered[0]?.reasoning_efforts).toContain('minimal');
    expect(await ask(name, { reasoning_effort: 'low' })).toMatchObject({
      status: 422,
      body: {
        fields: {
          'query.reasoning_effort': `${label} does not accept this effort. Choose none, high, or leave it empty.`,
        },
      },
    });
    expect((await ask(name, { reasoning_effort: 'none' })).status).toBe(200);
    expect(second.calls.at(-1)?.options).toEqual({ reasoning_effort: 'none' });
  });

  it('takes no option that its protocol lacks', async () => {
    const kind = 'anthropic' as const;
    const lacks = 'This protocol has no field for a seed.';
    const { id } = await addProvider({ kind });
    const model = { ...modelToRefuse, provider_id: id, options: ['seed'] };
    expect(await server.call('saveModel', model as never, operator)).toMatchObject({
      status: 422,
      body: { fields: { options: lacks } },
    });
    const other = await addProvider();
    await addModel(other.id, { options: ['seed'] });
    const change = { ...providerToSave({ kind }), id: other.id ?? '', version: other.version };
    expect(await server.call('saveProvider', change, operator)).toMatchObject({
      status: 422,
      body: { fields: { kind: lacks } },
    });
  });

  it('of the environment’s provider gets a price and a label', async () => {
    const [known] = await offeredTo(client);
    const name = known?.id ?? '';
    await addModel(null, { name, asked_as: name, label: 'Acme model', submissions_per_row: 2 });
    expect((await offeredTo(client))[0]).toMatchObject({
      id: name,
      label: 'Acme model',
      submissions_per_row: 2,
    });
  });

  it('of the environment’s provider is offered under a name that its list does not have', async () => {
    const { name } = await addModel(null, { name: 'house-model', asked_as: 'fake-small' });
    expect((await offeredTo(client)).map(({ id }) => id)).toContain(name);
    const calls = first.calls.length;
    expect(await ask(name)).toMatchObject({ status: 200 });
    expect(first.calls.length).toBe(calls + 1);
  });

  it.each([
    ['an unknown provider', { provider_id: 'unknown' }, 'provider_id'],
    ['itself to fall back to', { name: 'loop', fallback: 'loop' }, 'fallback'],
    ['an unknown model to fall back to', { fallback: 'nothing' }, 'fallback'],
    ['a negative price', { submissions_per_row: -1 }, 'submissions_per_row'],
    ['a price by size without a longest answer', { price_tokens: 4_000 }, 'answer_tokens'],
    ['a longest answer without a price by size', { answer_tokens: 500 }, 'price_tokens'],
    ['a price for a few tokens', { price_tokens: 1, answer_tokens: 500 }, 'price_tokens'],
    ['an option that does not exist', { options: ['magic'] }, 'options.0'],
    [
      'efforts without one',
      { options: ['reasoning_effort'], reasoning_efforts: [] },
      'reasoning_efforts',
    ],
  ])('is refused with %s', async (_what, more, field) => {
    const model = await server.call('saveModel', { ...modelToRefuse, ...more } as never, operator);
    expect(model).toMatchObject({
      status: 422,
      body: { fields: { [field]: expect.any(String) } },
    });
  });
});

describe('a model that is named like a member of objects', () => {
  it('is offered, asked and charged as any other', async () => {
    const name = '__proto__';
    expect((await offeredTo(client)).find(({ id }) => id === name)?.submissions_per_row).toBe(1);
    const id = await start(name);
    await until(async () => (await stateOf(id)) === 'completed');
    expect(await batchNow(id)).toMatchObject({ answered: 12, charged: 12 });
  });
});

describe('a fallback', () => {
  const efforts = (...reasoning_efforts: string[]) => ({
    options: ['reasoning_effort'],
    reasoning_efforts,
  });

  it.each([
    ['options', { options: ['system'] }, { options: ['outputs'] }],
    ['efforts', efforts('low'), efforts('low', 'high')],
  ])('that takes fewer %s is refused', async (_what, fewer, more) => {
    const { id } = await addProvider();
    const fallback = await addModel(id, fewer);
    const request = { ...modelToRefuse, ...more, fallback: fallback.name };
    expect(await server.call('saveModel', request as never, operator)).toMatchObject({
      status: 422,
      body: {
        fields: { fallback: 'This model does not accept all of these options and efforts.' },
      },
    });
  });
});

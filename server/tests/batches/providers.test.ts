// size: one server for everything that operators set up
import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startFakeChat } from '../../../fakes/chat/server.ts';
import { startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { Sealer } from '../../src/lib/sealed-text.ts';
import { openModels } from '../../src/open-models.ts';
import { BatchClient } from '../support/batches.ts';
import { isPostgres } from '../support/databases.ts';
import { modelToSave } from '../support/models.ts';
import { key, secretsKey, startWithProviders } from '../support/providers.ts';
import { createUser, type TestUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const { server, first, second, operator, client, ...stage } = await startWithProviders();
const { providerToSave, addProvider, addModel, saveModel, ask, start, batchNow, stateOf } = stage;
const admin = await createUser(server, { roleId: 2, submissions: 1_000 });
const offeredTo = async (by: TestUser) => (await server.call('getModels', {}, by)).body.models;

type Model = Awaited<ReturnType<typeof addModel>>;

describe('a provider that an operator adds', () => {
  it('answers with its model at the model’s price, without a restart', async () => {
    const provider = await addProvider({ name: 'Second provider' });
    const model = await addModel(provider.id ?? '');
    expect((await offeredTo(client)).at(-1)).toMatchObject({
      id: model.name,
      label: model.label,
      submissions_per_row: 3,
    });
    const calls = second.calls.length;
    const { body } = await ask(model.name);
    expect(body).toMatchObject({ answer: expect.stringContaining('baked'), creditsAvailable: 997 });
    expect(second.calls).toHaveLength(calls + 1);
    const stored = await server.app.ctx.db
      .selectFrom('single_prompts')
      .select(['answered_by'])
      .where('user_id', '=', client.id)
      .execute();
    expect(stored).toEqual([{ answered_by: 'fake-small at Second provider' }]);
  });

  it('answers the rows of a batch', async () => {
    const model = await addModel((await addProvider()).id);
    const file = (await server.upload('Prompt\none\ntwo\n', client)).body.file.id;
    const started = await server.ask({ query: { file, start: true, model: model.name } }, client);
    const id = started.body.batch?.id ?? '';
    const batch = async () => (await server.call('getBatch', { id }, client)).body.batch;
    await until(async () => (await batch()).state === 'completed');
    expect(await batch()).toMatchObject({ answered: 2, charged: 6 });
  });

  it.each([
    ['both are added', async () => addModel((await addProvider()).id)],
    [
      'a model leaves another, which is deleted,',
      async (model: Model, { id }: { id: string | null }) => {
        const moved = await saveModel({ ...model, provider_id: null });
        await server.call('deleteProvider', { id: id ?? '' }, operator);
        return moved;
      },
    ],
  ])(
    'is known with each of its models, also when %s while they are read',
    async (_what, change) => {
      const { ctx } = server.app;
      const provider = await addProvider();
      let model = await addModel(provider.id);
      let isFirst = true;
      const changeAfterFirst: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (isFirst) {
            isFirst = false;
            model = await change(model, provider);
          }
          return result;
        },
      };
      const models = await openModels(ctx.config, {
        ...ctx,
        db: ctx.db.withPlugin(changeAfterFirst),
      });
      await models.chat.close();
      const known = models.find(model.name);
      expect(known === undefined || models.list().includes(known)).toBe(true);
    },
  );

  it('shows its key to no one, and does not store it in clear', async () => {
    const provider = await addProvider();
    expect(provider).toMatchObject({ has_key: true, problem: null });
    const { body } = await server.call('getProviders', {}, operator);
    const log = await server.call('getAuditLog', { start: 0, limit: 50, search: '' }, operator);
    const { db } = server.app.ctx;
    const rows = await db.selectFrom('providers').selectAll().execute();
    expect(JSON.stringify([body, log.body, rows])).not.toContain(key);
    expect(log.body.entries.map(({ what }) => what)).toContain(
      `saved the provider “${provider.name}”`,
    );
    const sealed = rows.find(({ id }) => id === provider.id)?.sealed_key ?? '';
    expect(new Sealer(secretsKey).open(sealed, provider.id ?? '')).toBe(key);
  });

  it('sends a saved key to no other machine', async () => {
    const { id, version, ...provider } = { ...providerToSave(), ...(await addProvider()) };
    const { key: _, ...unchanged } = provider;
    const moved = { ...unchanged, kind: 'openai' as const, id: id ?? '', version };
    const address = 'https://elsewhere.example/v1';
    expect(await server.call('saveProvider', { ...moved, address }, operator)).toMatchObject({
      status: 422,
      body: { fields: { key: expect.stringContaining('again') } },
    });
    const saved = await server.call('saveProvider', { ...moved, name: `${moved.name}!` }, operator);
    expect(saved.body.provider).toMatchObject({ has_key: true, version: version + 1 });
    // The second of two operators.
    expect(await server.call('saveProvider', moved, operator)).toMatchObject({ status: 409 });
    const without = { ...moved, version: version + 1, key: '' };
    const { body } = await server.call('saveProvider', without, operator);
    expect(body.provider.has_key).toBe(false);
  });

  it('is deleted while no model belongs to it, and can only be turned off otherwise', async () => {
    const { id } = await addProvider({ name: 'Mistyped' });
    const remove = () => server.call('deleteProvider', { id: id ?? '' }, operator);
    const other = await addProvider();
    const model = await addModel(id);
    expect(await remove()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Turn it off') },
    });
    expect((await ask(model.name)).status).toBe(200);
    await saveModel({ ...model, provider_id: other.id });
    expect(await remove()).toMatchObject({ status: 200, body: { message: 'Deleted Mistyped.' } });
    expect((await remove()).status).toBe(404);
    const { body } = await server.call('getProviders', {}, operator);
    expect(body.providers.map(({ name }) => name)).not.toContain('Mistyped');
    const log = await server.call('getAuditLog', { start: 0, limit: 1, search: '' }, operator);
    expect(log.body.entries[0]?.what).toBe('deleted the provider “Mistyped”');
    expect((await ask(model.name)).status).toBe(200);
    expect((await addProvider({ name: 'Mistyped' })).id).not.toBe(id);
  });

  it('stops at once when it is turned off', async () => {
    const provider = await addProvider();
    const model = await addModel(provider.id);
    expect((await ask(model.name)).status).toBe(200);
    const { id, version } = provider;
    const off = { ...providerToSave(), id: id ?? '', version, is_enabled: false };
    await server.call('saveProvider', off, operator);
    expect((await offeredTo(client)).map(({ id }) => id)).not.toContain(model.name);
    expect(await ask(model.name)).toMatchObject({ status: 422 });
  });

  it.each([
    ['a metadata service', { address: 'http://169.254.169.254/v1' }, 'address'],
    ['a password', { address: 'https://me:secret@example.com/v1' }, 'address', 'password before @'],
    ['a key in its address', { address: 'https://example.com/v1?key=secret' }, 'address', 'A key'],
    ['a fragment', { address: 'https://example.com/v1#chat' }, 'address', 'Leave out #'],
    ['a wrong port', { address: 'https://example.com:port/v1' }, 'address', 'such as'],
    ['a space', { address: 'https://example.com/v 1' }, 'address', 'such as'],
    ['a file', { address: 'file:///etc/passwd' }, 'address', 'starts with https://'],
    ['a key with a line break', { key: 'sk-a\nb' }, 'key'],
    ['no calls at once', { concurrency: 0 }, 'concurrency'],
    ['no requests a minute', { requests_per_minute: 0 }, 'requests_per_minute'],
    ['half a token a minute', { tokens_per_minute: 0.5 }, 'tokens_per_minute'],
  ])('is refused with %s', async (_what, more, field, words = '') => {
    expect(await server.call('saveProvider', providerToSave(more), operator)).toMatchObject({
      status: 422,
      body: { fields: { [field]: expect.stringContaining(words) } },
    });
  });

  // The pace does not depend on the database.
  it.runIf(!isPostgres).each([
    [{ bucketPerMinute: 6_000 }, { requests_per_minute: 6_000 }],
    [{ tokensPerMinute: 36_000 }, { tokens_per_minute: 36_000 }],
  ])('that allows %j answers nearly every call when %j is entered', async (limit, entered) => {
    await using chat = await startFakeChat({ key, ...limit, latency: 20 });
    const provider = await addProvider({ address: chat.url });
    const { version } = provider;
    const id = provider.id ?? '';
    const change = providerToSave({ address: chat.url, ...entered, id, version });
    expect((await server.call('saveProvider', change, operator)).body.provider).toMatchObject({
      requests_per_minute: null,
      tokens_per_minute: null,
      ...entered,
    });
    const person = await BatchClient.create(server, 2_000);
    const prompts = Array.from({ length: 300 }, (_, row) => `Bake cake ${row}`);
    const batch = await person.start(prompts, {
      query: { model: (await addModel(id)).name },
    });
    const { answered } = await person.whenEnded(batch.id);
    expect(answered / chat.calls.length).toBeGreaterThan(0.97);
  });

  it.runIf(!isPostgres).each([
    ['openai', '/v1', { bucketPerMinute: 2_400 }],
    ['openai', '/v1', { tokensPerMinute: 24_000, limitNames: 'cerebras' as const }],
    ['openai', '/v1', { bucketPerMinute: 240, bucketSeconds: 60, limitNames: 'mistral' as const }],
    ['azure', '/openai', { bucketPerMinute: 2_400 }],
    ['anthropic', '/anthropic/v1', { bucketPerMinute: 2_400 }],
    ['anthropic', '/anthropic/v1', { outputTokensPerMinute: 14_400 }],
  ])(
    'of kind %s at %s that states %j in headers answers nearly every call',
    async (kind, path, limit) => {
      const limits = { bucketSeconds: 3, statesLimits: true, ...limit };
      await using chat = await startFakeChat({ key, ...limits, latency: 20 });
      const { id } = await addProvider({ kind, address: new URL(path, chat.url).href });
      const person = await BatchClient.create(server, 2_000);
      const prompts = Array.from({ length: 250 }, (_, row) => `Bake cake ${row}`);
      const batch = await person.start(prompts, { query: { model: (await addModel(id)).name } });
      const { answered } = await person.whenEnded(batch.id);
      expect(answered).toBe(250);
      expect(answered / chat.calls.length).toBeGreaterThan(0.97);
    },
  );

  it('is refused with a name that is taken', async () => {
    const { name } = await addProvider();
    const again = await server.call('saveProvider', providerToSave({ name }), operator);
    expect(again).toMatchObject({ status: 422, body: { fields: { name: expect.any(String) } } });
  });

  it.runIf(isPostgres)('is known to other processes at once', async () => {
    const settings = { ...server.settings, SERVE: 'main' };
    await using other = await startApp(parseConfig(readEnvironment(settings)), {
      isScheduled: false,
    });
    const model = await addModel((await addProvider()).id);
    await until(async () => other.ctx.models.find(model.name) !== undefined);
    expect(other.ctx.models.find(model.name)?.price).toBe(3);
  });

  it('cannot be called with another SECRETS_KEY, and says so', async () => {
    const provider = await addProvider();
    const model = await addModel(provider.id);
    server.settings.SECRETS_KEY = 'another key that is long enough for it';
    await server.restart();
    const { body } = await ask(model.name);
    expect(body.message).toContain('key cannot be read');
    const shown = (await server.call('getProviders', {}, operator)).body.providers;
    expect(shown.find(({ id }) => id === provider.id)?.problem).toContain('SECRETS_KEY');
    delete server.settings.SECRETS_KEY;
    await server.restart();
    expect(await server.call('saveProvider', providerToSave(), operator)).toMatchObject({
      status: 422,
      body: { fields: { key: expect.stringContaining('SECRETS_KEY') } },
    });
    server.settings.SECRETS_KEY = secretsKey;
    await server.restart();
    expect((await ask(model.name)).status).toBe(200);
  });
});

describe('the test of a provider', () => {
  it('reports what it found', async () => {
    const { id } = await addProvider();
    const { body } = await server.call('testProvider', { id: id ?? '' }, operator);
    expect(body).toMatchObject({
      works: true,
      model: 'fake-small',
      problem: null,
      milliseconds: expect.any(Number),
      columns: 'obeys',
      counts_tokens: true,
      models: ['fake-small', 'fake-large'],
    });
  });

  it('reports what its headers say about the limits of the key', async () => {
    const { id } = await addProvider();
    second.behave({ bucketPerMinute: 600, statesLimits: true });
    const { body } = await server.call('testProvider', { id: id ?? '' }, operator);
    second.behave({ bucketPerMinute: null, statesLimits: false });
    expect(body.limits).toEqual([{ of: 'requests', limit: 10, remaining: expect.any(Number) }]);
  });

  it.each([
    ['a schema that is refused', { responseFormat: 'refused' as const }, { columns: 'refuses' }],
    ['a schema that is ignored', { responseFormat: 'ignored' as const }, { columns: 'ignores' }],
    ['a failure', { status: 500 }, { works: false, problem: expect.stringContaining('failed') }],
  ])('reports %s', async (_what, behaviour, found) => {
    const { id } = await addProvider();
    second.behave(behaviour);
    const test = { id: id ?? '', model: 'fake-large' };
    const { body } = await server.call('testProvider', test, operator);
    second.behave({ responseFormat: 'obeyed', status: null });
    expect(body).toMatchObject(found);
  });

  it('names a wrong key without repeating it', async () => {
    const wrong = 'sk-wrong-0123456789';
    const { id } = await addProvider({ key: wrong });
    const { body } = await server.call(
      'testProvider',
      { id: id ?? '', model: 'fake-small' },
      operator,
    );
    expect(body).toMatchObject({ works: false, problem: expect.stringContaining('key') });
    expect(JSON.stringify(body)).not.toContain(wrong);
  });
});

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
  it('that takes fewer options is refused', async () => {
    const { id } = await addProvider();
    const fallback = await addModel(id, { options: ['system'] });
    const request = { ...modelToRefuse, options: ['outputs'], fallback: fallback.name };
    expect(await server.call('saveModel', request as never, operator)).toMatchObject({
      status: 422,
      body: { fields: { fallback: 'This model does not accept all of these options.' } },
    });
  });
});

const modelToRefuse = { ...modelToSave, name: 'refused-model', label: 'Refused' };

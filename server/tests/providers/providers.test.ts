import type { KyselyPlugin } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { startFakeChat } from '../../../fakes/chat/server.ts';
import { startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { Sealer } from '../../src/lib/sealed-text.ts';
import { openModels } from '../../src/open-models.ts';
import { BatchClient } from '../support/batches.ts';
import { key, secretsKey, startWithProviders } from '../support/providers.ts';
import { until } from '../support/waiting.ts';

const { server, second, operator, client, ...stage } = await startWithProviders();
const { providerToSave, addProvider, addModel, saveModel, ask } = stage;
const offeredModels = async () => (await server.call('getModels', {}, client)).body.models;

type Model = Awaited<ReturnType<typeof addModel>>;

describe('a provider that an operator adds', () => {
  it('answers with its model at the model’s price, without a restart', async () => {
    const provider = await addProvider({ name: 'Second provider' });
    const model = await addModel(provider.id ?? '');
    expect((await offeredModels()).at(-1)).toMatchObject({
      id: model.name,
      label: model.label,
      submissions_per_row: 3,
    });
    const calls = second.calls.length;
    const creditsAvailable = (await server.balance(client)) - 3;
    const { body } = await ask(model.name);
    expect(body).toMatchObject({ answer: expect.stringContaining('baked'), creditsAvailable });
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
    // The log says what changed, and that a key did, but not which.
    const { body: log } = await server.call(
      'getAuditLog',
      { start: 0, limit: 2, search: '' },
      operator,
    );
    expect(log.entries.map(({ what }) => what)).toEqual([
      `saved the provider “${moved.name}!”: name from “${moved.name}!” to “${moved.name}”; key changed`,
      `saved the provider “${moved.name}”: name from “${moved.name}” to “${moved.name}!”`,
    ]);
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
    expect((await offeredModels()).map(({ id }) => id)).not.toContain(model.name);
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

  it.each([
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

  it.each([
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

  it('is known to other processes at once', async () => {
    const settings = { ...server.settings, SERVE: 'main' };
    await using other = await startApp(parseConfig(readEnvironment(settings)), {
      isScheduled: false,
    });
    const model = await addModel((await addProvider()).id);
    await until(async () => other.ctx.models.find(model.name) !== undefined);
    expect(other.ctx.models.find(model.name)?.price).toBe(3);
  });

  it('is named in the log of a process with another SECRETS_KEY', async () => {
    const SECRETS_KEY = 'another key that is long enough for it';
    const settings = { ...server.settings, SERVE: 'main', SECRETS_KEY };
    await using other = await startApp(parseConfig(readEnvironment(settings)), {
      isScheduled: false,
    });
    const warn = vi.spyOn(other.ctx.log, 'warn');
    const { id } = await addProvider();
    await until(async () =>
      warn.mock.calls.some(
        ([about, text]) =>
          (about as { provider?: string }).provider === id && /SECRETS_KEY/.test(String(text)),
      ),
    );
  });

  it('cannot be called with another SECRETS_KEY, and says so', async () => {
    const provider = await addProvider();
    const model = await addModel(provider.id);
    server.settings.SECRETS_KEY = 'another key that is long enough for it';
    await server.restart();
    const { body } = await ask(model.name);
    expect(body.message).toContain('An operator has to correct it');
    expect(body.message).not.toContain('SECRETS_KEY');
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

  it.each([
    ['a wrong key', { key: 'sk-wrong-0123456789' }, 'does not accept the key'],
    ['a machine that does not answer', { address: 'http://127.0.0.1:9/v1' }, 'it was refused'],
    ['a name without a machine', { address: 'https://api.invalid/v1' }, 'cannot be found'],
    ['an address without a list', { address: second.url.replace('/v1', '') }, 'lists no models'],
    ['a protocol without a list', { kind: 'azure' }, 'Enter the name of a model'],
  ])('says why it cannot choose a model: %s', async (_what, more, problem) => {
    const { id } = await addProvider(more);
    const { body } = await server.call('testProvider', { id: id ?? '' }, operator);
    expect(body).toMatchObject({ works: false, models: [] });
    expect(body.problem).toContain(problem);
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

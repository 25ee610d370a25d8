import type { CallRequest } from '@rowmill/contract';
import { startFakeChat } from '../../../fakes/chat/server.ts';
import { closeAtEnd } from './closing.ts';
import { startTestServer } from './test-server.ts';
import { createUser } from './users.ts';

export const key = 'sk-second-0123456789abcdef';
export const secretsKey = 'a key for the tests of providers, long enough';

/** A server with the provider of its environment and a second one, and people who use them. */
export async function startWithProviders() {
  const first = await startFakeChat({ models: ['fake-small', 'fake-large', '__proto__'] });
  const second = await startFakeChat({ key });
  for (const chat of [first, second]) closeAtEnd(() => chat.close());
  const server = await startTestServer(
    { CHAT_BASE_URL: first.url, SECRETS_KEY: secretsKey },
    { probeIntervalMilliseconds: 200, resumeIntervalMilliseconds: 1_000 },
  );
  const operator = await createUser(server, { roleId: 3 });
  const client = await createUser(server, { submissions: 2_000 });
  let number = 0;
  const providerToSave = (more: object = {}) => ({
    name: `Provider ${++number}`,
    kind: 'openai' as const,
    address: second.url,
    key,
    concurrency: 8,
    is_enabled: true,
    ...more,
  });
  async function addProvider(more: object = {}) {
    const { body } = await server.call('saveProvider', providerToSave(more), operator);
    return body.provider;
  }
  /** Changes a model when it is given the version that it has. */
  async function saveModel(request: object) {
    const { body } = await server.call('saveModel', request as CallRequest<'saveModel'>, operator);
    return body.model;
  }
  const addModel = (provider_id: string | null, more: object = {}) =>
    saveModel({
      name: `model-${++number}`,
      provider_id,
      asked_as: 'fake-small',
      label: `Model ${number}`,
      submissions_per_row: 3,
      input_cost: 2_500_000,
      cached_cost: null,
      output_cost: 10_000_000,
      options: ['system', 'temperature', 'max_tokens', 'outputs'],
      offered_to: 'everyone',
      fallback: null,
      position: 5,
      ...more,
    });
  const ask = (model: string, more: object = {}, by = client) =>
    server.ask({ question: 'What is baked?', query: { model, ...more } }, by);
  /** Starts a batch of the client and returns its id. */
  async function start(
    model: string | undefined,
    { rows = 12, mark = '', ...more }: StartOptions = {},
  ) {
    const prompts = Array.from({ length: rows }, (_, row) => `Row ${row} of ${model} ${mark}`);
    server.clock.advance(10_000);
    const file = (await server.upload(['Prompt', ...prompts].join('\n'), client)).body.file.id;
    const query = { file, start: true, ...(model && { model }), ...more };
    const { body } = await server.ask({ query }, client);
    if (!body.batch) throw new Error(body.message);
    return body.batch.id;
  }
  const batchNow = async (id: string) => (await server.call('getBatch', { id }, client)).body.batch;
  const stateOf = async (id: string) => (await batchNow(id)).state;
  return {
    ...{ server, first, second, operator, client, providerToSave, addProvider },
    ...{ saveModel, addModel, ask, start, batchNow, stateOf },
  };
}

interface StartOptions {
  rows?: number;
  /** What its prompts ask of the fake, such as `[[held]]`. */
  mark?: string;
  outputs?: string[];
  finish_by?: string;
}

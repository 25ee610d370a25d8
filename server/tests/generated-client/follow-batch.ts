import createClient from 'openapi-fetch';
import type { components, paths } from './openapi.d.ts';

/*
 * A program as a client would write it. Its types are generated from the served `/openapi.json`
 * when generated-client.test.ts runs, which also type-checks it; the compiler of the project leaves
 * this folder out.
 */
type ProgressEvent = components['schemas']['ProgressEvent'];
type Sheet = components['schemas']['Sheet'];

interface Person {
  email: string;
  password: string;
}

/** Runs a prompt over a sheet, from the sign-in to the file. */
export async function followBatch(
  baseUrl: string,
  { csv, prompt, ...person }: Person & { csv: string; prompt: string },
) {
  const client = await signIn(baseUrl, person);
  const sheet = await upload(client, csv);
  const quoted = await quote(client, sheet.id, prompt);
  const events = await run(client, sheet.id, prompt);
  const last = events.at(-1);
  if (last?.kind !== 'batch') throw new Error('The last event is not about the batch.');
  const file = await download(client, last.batch.id);
  return { sheet, quoted, events, batch: last.batch, file };
}

async function signIn(baseUrl: string, person: Person) {
  const { data, error } = await createClient<paths>({ baseUrl }).POST('/api/login', {
    body: person,
  });
  if (error) throw new Error(`${error.code}: ${error.message}`);
  const headers = { authorization: `Bearer ${data.user_token}` };
  return createClient<paths>({ baseUrl, headers });
}

type Client = Awaited<ReturnType<typeof signIn>>;

async function upload(client: Client, csv: string): Promise<Sheet> {
  const { data, error } = await client.POST('/api/emedia/saveFile', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { file: csv },
    bodySerializer: ({ file }) => {
      const form = new FormData();
      form.append('file', new Blob([file]), 'cities.csv');
      return form;
    },
  });
  if (error) throw new Error(error.fields?.file ?? error.message);
  return data.file;
}

async function quote(client: Client, file: string, prompt: string) {
  const { data, error } = await client.POST('/api/emedia/askChatGpt', {
    body: { questionWithVariable: prompt, query: { file, quote: true } },
  });
  if (error) throw new Error(error.code);
  return data.quote;
}

/** Starts a batch and returns its events until it has ended. */
async function run(client: Client, file: string, prompt: string): Promise<ProgressEvent[]> {
  const events = await client.GET('/api/emedia/events', { parseAs: 'stream' });
  if (events.error || !events.data) throw new Error('No events.');
  const { data, error } = await client.POST('/api/emedia/askChatGpt', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { questionWithVariable: prompt, query: { file, start: true } },
  });
  if (error) throw new Error(error.code);
  return untilEnded(events.data, data.batch?.id ?? '');
}

async function untilEnded(stream: ReadableStream, batchId: string): Promise<ProgressEvent[]> {
  const seen: ProgressEvent[] = [];
  let text = '';
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks.filter((block) => block.startsWith('data: '))) {
      const event = JSON.parse(block.slice('data: '.length)) as ProgressEvent;
      seen.push(event);
      if (event.kind === 'batch' && event.batch.id === batchId && event.batch.ended_at) return seen;
    }
  }
  throw new Error('The stream of events ended before the batch.');
}

async function download(client: Client, batchId: string): Promise<string> {
  const { data, error } = await client.POST('/api/emedia/downloadChatGptResponse', {
    body: { file: batchId, format: 'csv' },
    parseAs: 'text',
  });
  if (error) throw new Error(error.code);
  return data;
}

/** Neither the types nor the server know the option. */
export async function askWithUnknownOption(baseUrl: string, person: Person) {
  const client = await signIn(baseUrl, person);
  const body: components['schemas']['AskChatGptRequest'] = {
    question: 'Hello',
    // @ts-expect-error: `penalty` is not an option
    query: { penalty: 1 },
  };
  const { error } = await client.POST('/api/emedia/askChatGpt', { body });
  return error?.fields;
}

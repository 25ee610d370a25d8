import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { gzipSync } from 'node:zlib';
import {
  type Endpoint,
  type EndpointName,
  endpoints,
  type RefusalBody,
  refusals,
} from '@rowmill/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { examples } from '../../src/http/openapi/examples.ts';
import { callTable } from '../authority/call-table.ts';
import { addBelongings } from '../authority/callers.ts';
import { assertDescribed } from '../support/openapi.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser, type TestUser } from '../support/users.ts';

let operator: TestUser;
const server = await startTestServer({ CHAT_BASE_URL: 'demo' });
/** New for every test, because some calls end the session. */
beforeEach(async () => {
  operator = await createUser(server, { roleId: 3, submissions: 100 });
});

const posts = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { method, accepts }]) => method === 'POST' && accepts !== 'multipart',
);

async function post(endpoint: Endpoint, body: string, type = 'application/json', query = '') {
  const path = endpoint.path.replace(/\{\w+\}/g, 'unknown');
  const response = await fetch(server.app.url + path + query, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${operator.token}` },
    body,
  });
  await assertDescribed(endpoint, response);
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
}

/** Any input gets a success or a refusal of the contract. */
function expectContract({
  status,
  text,
  type,
}: {
  status: number;
  text: string;
  type: string;
}): void {
  expect([500, 502, 503]).not.toContain(status);
  if (status === 200) return;
  expect(type).toBe('application/json; charset=utf-8');
  const body = JSON.parse(text) as RefusalBody;
  expect(body).toMatchObject({
    status: false,
    message: expect.any(String),
    request_id: expect.any(String),
  });
  expect(refusals[body.code].status).toBe(status);
  if (body.code === 'invalid_input')
    expect(Object.keys(body.fields ?? {}).length).toBeGreaterThan(0);
}

/** Values that are wrong in every field. */
const hostile: Record<string, unknown> = {
  number: 1.5,
  negative: -1,
  huge: 1e308,
  'more than an integer column holds': 2_147_483_648,
  'the largest whole number': Number.MAX_SAFE_INTEGER,
  boolean: true,
  list: [1, 'two', null],
  object: { a: { b: 'c' } },
  'a length that cannot be compared': { length: { toString: null } },
  nul: 'a\u0000b',
  'half a surrogate pair': 'a\ud800b',
  'right-to-left override': '\u202Etxt.exe',
  'long text': 'x'.repeat(100_001),
  'not an address': 'no-address@@nowhere',
  'a year that PostgreSQL lacks': '0000-01-01T00:00:00Z',
  null: null,
};

interface Schema {
  _zod: { def: SchemaParts };
}
interface SchemaParts {
  type: string;
  innerType?: Schema;
  options?: Schema[];
  shape?: Record<string, Schema>;
  element?: Schema;
  checks?: { _zod: { def: Limit } }[];
}
/** `value` of a number, the others of the length of a text. */
interface Limit {
  value?: number;
  minimum?: number;
  maximum?: number;
}

interface Place {
  at: string[];
  /** The least and the most that the contract allows there. */
  edges: unknown[];
}

/** The places in a request, also within objects and lists. */
function placesIn(schema: Schema, at: string[] = []): Place[] {
  const { innerType, options, shape, element } = schema._zod.def;
  if (innerType) return placesIn(innerType, at);
  if (options) return options.flatMap((option) => placesIn(option, at));
  const within = Object.entries(shape ?? (element ? { 0: element } : {}));
  const deeper = within.flatMap(([name, one]) => placesIn(one, [...at, name]));
  return at.length > 0 ? [{ at, edges: edgesOf(schema) }, ...deeper] : deeper;
}

function edgesOf({ _zod: { def } }: Schema): unknown[] {
  const limits = (def.checks ?? []).flatMap(({ _zod: { def: limit } }) =>
    [limit.value, limit.minimum, limit.maximum].filter((edge) => edge !== undefined),
  );
  if (def.type === 'string') return limits.map((length) => 'x'.repeat(length));
  return def.type === 'number' ? limits : [];
}

/** A request in which only this place is unusual. */
function changedAt(
  [name = '', ...rest]: readonly string[],
  value: unknown,
  request: unknown,
): object {
  const around = typeof request === 'object' && request !== null ? request : name === '0' ? [] : {};
  const changed = structuredClone(around) as Record<string, unknown>;
  changed[name] = rest.length > 0 ? changedAt(rest, value, changed[name]) : value;
  return changed;
}

/** Names what exists: a request for something unknown ends before its fields are stored. */
async function requestOf(name: EndpointName): Promise<object> {
  const { needs, ask } = callTable[name];
  const own = await addBelongings(server, operator, needs);
  return { ...(examples[name]?.request as object), ...(needs && ask(own)) };
}

describe.each(posts)('%s', (name, endpoint) => {
  it('answers missing fields, wrong types, hostile text and the limits of each field as the contract says', async () => {
    expectContract(await post(endpoint, '{}'));
    const request = await requestOf(name);
    for (const { at, edges } of placesIn(endpoint.request as unknown as Schema)) {
      // Else limits of calls per minute refuse most values.
      server.clock.advance(60_000);
      for (const value of [...Object.values(hostile), ...edges])
        expectContract(await post(endpoint, JSON.stringify(changedAt(at, value, request))));
    }
  });

  it('names a field of the query string that it does not know', async () => {
    const sent = [
      await post(endpoint, '{}', 'application/json', '?unheard_of=1'),
      await post(endpoint, '{}', 'application/json', '?switchedAs=unknown'),
    ];
    const named = sent.map(({ text }) =>
      Object.keys((JSON.parse(text) as RefusalBody).fields ?? {}),
    );
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 422));
    expect(named.flat()).toEqual(expect.arrayContaining(['unheard_of', 'switchedAs']));
  });

  it('cannot be used to change a prototype', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      expectContract(
        await post(endpoint, `{"${key}":{"polluted":true,"prototype":{"polluted":true}}}`),
      );
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

/** Of a visitor, a person and an operator: one reader of bodies serves all calls. */
it.each(['login', 'createOrder', 'saveModel'] as const)(
  'refuses other JSON than objects, too large bodies and other content types: %s',
  async (name) => {
    const endpoint = endpoints[name];
    expect((await post(endpoint, `{"a":"${'x'.repeat(1_000_000)}"}`)).status).toBe(413);
    expect((await post(endpoint, `{"a":[[${'0,'.repeat(30_000)}0]]}`)).status).toBe(413);
    expect((await post(endpoint, 'a=1', 'text/plain')).status).toBe(415);
    const form = 'multipart/form-data; boundary=x';
    const part = '--x\r\ncontent-disposition: form-data; name="id"\r\n\r\n1\r\n--x--\r\n';
    expect((await post(endpoint, part, form)).status).toBe(415);
    expectContract(await post(endpoint, '', form));
    for (const body of ['[1]', '"text"', '7', '{"a":'])
      expect([400, 422]).toContain((await post(endpoint, body)).status);
    expect((await post(endpoint, `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)).status).toBe(
      413,
    );
    const text = JSON.stringify(',[{"\\'.repeat(20_000));
    expect((await post(endpoint, `{"unheard_of":${text}}`)).status).not.toBe(413);
    for (const body of ['null', '']) expectContract(await post(endpoint, body));
  },
);

it('refuses JSON in another encoding instead of changing its letters, and compressed JSON', async () => {
  const endpoint = endpoints.askChatGpt;
  const sendBytes = async (bytes: Uint8Array<ArrayBuffer>, headers = {}) => {
    const response = await fetch(server.app.url + endpoint.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${operator.token}`,
        ...headers,
      },
      body: bytes,
    });
    await assertDescribed(endpoint, response);
    return (await response.json()) as RefusalBody;
  };
  const text = JSON.stringify({ question: 'Grüße' });
  expect(await sendBytes(Buffer.from(text, 'latin1'))).toMatchObject({
    code: 'invalid_json',
    message: expect.stringContaining('UTF-8'),
  });
  expect(await sendBytes(gzipSync(text), { 'content-encoding': 'gzip' })).toMatchObject({
    code: 'unsupported_media',
    message: expect.stringContaining('compressed'),
  });
  const marked = Buffer.from(`\ufeff${text}`);
  expect(await sendBytes(marked)).toMatchObject({ answer: expect.stringContaining('Grüße') });
});

it('names the request of a path that is too long for the router', async () => {
  const path = endpoints.downloadUploadedCsv.path.replace('{id}', 'x'.repeat(201));
  const response = await fetch(server.app.url + path);
  const { code, request_id } = (await response.json()) as RefusalBody;
  expect(code).toBe('not_found');
  expect(response.headers.get('x-request-id')).toBe(request_id);
});

describe('malformed HTTP', () => {
  it.each([
    ['an invalid request line', 'hello\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n', 400],
    ['too many header bytes', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ])('gets an answer that a strict client accepts: %s', async (_name, bytes, status) => {
    const answer = await answerTo(bytes);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({
      connection: 'close',
      'content-length': '0',
      'x-content-type-options': 'nosniff',
    });
  });
});

/** Sends raw bytes and parses the answer with Node's HTTP client, which refuses bare line feeds. */
async function answerTo(bytes: string): Promise<IncomingMessage> {
  const { hostname, port } = new URL(server.app.url);
  const socket = connect(Number(port), hostname);
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  socket.on('data', (chunk) => connection.push(chunk));
  socket.on('end', () => connection.push(null));
  socket.write(bytes);
  const sent = request({ createConnection: () => connection }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer.resume();
}

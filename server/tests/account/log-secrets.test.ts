import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { type EndpointName, endpoints } from '@rowmill/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeChat, startFakeChat } from '../../../fakes/chat/server.ts';
import { OutboxMail } from '../../src/adapters/outbox-mail.ts';
import { backUp } from '../../src/cli/backup/backup.ts';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { makeOperator } from '../../src/domains/identity/accounts/registration.ts';
import { rateLimits } from '../../src/domains/requests/rate-limits.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createServingDatabase } from '../support/databases.ts';
import { modelToSave } from '../support/models.ts';

const operatorEmail = 'olga.operator@example.test';
const directory = mkdtempSync(join(tmpdir(), 'rowmill-secrecy-'));
const outbox = new OutboxMail(join(directory, 'outbox'), systemClock);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const secrets = {
  email: 'ned.newcomer@secret-address.test',
  otherEmail: 'ned.elsewhere@secret-address.test',
  phone: '+44 1624 555 0199',
  lastName: 'Nameworthy',
  password: 'plain straw 47 winter',
  secondPassword: 'quiet lantern 82 meadow',
  thirdPassword: 'slow harbour 16 copper',
  wrongPassword: 'a wrong guess 99 entirely',
  prompt: 'Which word was never heard?',
  providerKey: 'sk-provider-key-0123456789',
  savedKey: 'sk-saved-by-an-operator-0123456789',
};

interface Story {
  /** What the product wrote to its log and to standard error. */
  lines: string[];
  errors: string;
  /** Every token that was issued. */
  issued: string[];
  /** Request ids that refusals showed to the user. */
  requestIds: string[];
  /** Every answer, errors and exports among them. */
  answers: string[];
  /** Of a backup that was made afterwards, by file. */
  backup: Map<string, string>;
}

let story: Story;
let chat: FakeChat;
beforeAll(async () => {
  chat = await startFakeChat();
  story = await recordLife();
  return () => chat.close();
});

describe('the log', () => {
  it('is one JSON object per line with a time and a level', () => {
    expect(story.lines.length).toBeGreaterThan(20);
    for (const line of story.lines)
      expect(JSON.parse(line)).toMatchObject({
        level: expect.any(Number),
        time: expect.any(String),
      });
    expect(story.errors).toBe('');
  });

  it.each(Object.keys(secrets) as (keyof typeof secrets)[])('contains no %s', (name) => {
    const plain = secrets[name];
    for (const form of [plain, encodeURIComponent(plain), Buffer.from(plain).toString('base64')]) {
      expect(story.lines.filter((line) => line.includes(form))).toEqual([]);
    }
  });

  it('contains no token of a session, an app or an email link', () => {
    expect(story.issued).toHaveLength(10);
    for (const token of story.issued)
      expect(story.lines.filter((line) => line.includes(token))).toEqual([]);
  });

  it('contains the failed prompts by kind and status', () => {
    // What may fail by chance is sent twice.
    const twice = [401, 500, 401, 401].flatMap((status) => [status, status]);
    expect(chat.calls.map(({ status }) => status)).toEqual([400, ...twice, 200, 200]);
    const failed = story.lines
      .map((line) => JSON.parse(line))
      .filter(({ code }) => code === 'model_failed');
    expect(failed.map(({ err }) => err.status)).toEqual([502, 502, 502, 502, 502]);
  });

  it('cannot be injected with forged lines', () => {
    expect(story.lines.filter((line) => line.includes('forged'))).toEqual([]);
  });

  it('contains each refusal under the request id that the user saw', () => {
    expect(story.requestIds.length).toBeGreaterThan(5);
    for (const id of story.requestIds)
      expect(story.lines.filter((line) => JSON.parse(line).request_id === id)).not.toEqual([]);
  });

  it('contains every security event', () => {
    const events = new Set(story.lines.map((line) => JSON.parse(line).event));
    expect([...events]).toEqual(
      expect.arrayContaining([
        'registered',
        'email_verified',
        'sign_in_refused',
        'signed_in',
        'password_changed',
        'password_reset',
        'access_refused',
        'session_revoked',
        'rate_limited',
        'signed_out',
        'email_sent',
      ]),
    );
  });
});

describe('a key of a provider', () => {
  const keys = [secrets.providerKey, secrets.savedKey];

  it('is in no answer, error or export, although the provider repeats it', () => {
    const refused = story.answers.filter((answer) => answer.includes('Incorrect API key provided'));
    expect(refused.length).toBeGreaterThan(2);
    for (const key of keys)
      expect(story.answers.filter((answer) => answer.includes(key))).toEqual([]);
  });

  it('is in no backup in clear', () => {
    expect(story.backup.get('public.providers.jsonl.gz')).toContain('Acme models');
    expect(story.backup.get('public.single_prompts.jsonl.gz')).toContain('Incorrect API key');
    for (const key of keys)
      for (const form of [key, Buffer.from(key).toString('base64')])
        expect([...story.backup].filter(([, text]) => text.includes(form))).toEqual([]);
  });
});

/** Starts the product as a process, takes an account through its whole life and stops it. */
async function recordLife(): Promise<Story> {
  const settings = {
    PORT: '0',
    PUBLIC_URL: 'http://127.0.0.1:4400',
    DATA_DIR: directory,
    DEMO: 'off',
    LOG_LEVEL: 'info',
    CHAT_BASE_URL: chat.url,
    CHAT_API_KEY: secrets.providerKey,
    CHAT_PRICES: 'fake-small=0',
    SECRETS_KEY: 'a key for the tests of secrets, long enough',
    ...(await createServingDatabase()),
  };
  const config = parseConfig(readEnvironment(settings));
  const invitation = await inviteOperator(config);
  const program = join(import.meta.dirname, '../../src/main.ts');
  const product = spawn(process.execPath, ['--liftoff-only', program], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(product, 'exit');
  let errors = '';
  product.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const record: Recorded = { lines: [], issued: [invitation], requestIds: [], answers: [] };
  let life: Promise<unknown> = Promise.reject(new Error('The product never became ready.'));
  life.catch(() => {});
  for await (const line of createInterface({ input: product.stdout })) {
    if (line.startsWith('{')) record.lines.push(line);
    const [, url] = /is ready at (\S+)/.exec(line) ?? [];
    // Not awaited here, because the loop reads the log meanwhile.
    if (url)
      life = liveAccount(url, record, invitation)
        .catch((error) => error)
        .finally(() => product.kill('SIGTERM'));
  }
  await ended;
  expect(await life, errors).toBeUndefined();
  const folder = join(directory, 'backup');
  await backUp(config, folder);
  return { ...record, errors, backup: contentOf(join(folder, 'tables')) };
}

type Recorded = Omit<Story, 'errors' | 'backup'>;

async function inviteOperator(config: ReturnType<typeof parseConfig>): Promise<string> {
  await using database = await openDatabase(config.database);
  const ctx = { db: database.db, clock: systemClock, requestId: 'invitation' };
  // Awaited here, because leaving this function closes the database.
  return await makeOperator(ctx, operatorEmail);
}

function contentOf(tables: string): Map<string, string> {
  const unpacked = (name: string) => gunzipSync(readFileSync(join(tables, name))).toString();
  return new Map(readdirSync(tables).map((name) => [name, unpacked(name)]));
}

interface Answer {
  status: boolean;
  provider: { id: string };
  user_token: string;
  app_token: string;
  request_id: string;
}

async function liveAccount(
  url: string,
  { answers, issued, requestIds }: Recorded,
  invitation: string,
): Promise<void> {
  const ask = async (
    name: EndpointName,
    body: Record<string, unknown>,
    token = '',
  ): Promise<Answer> => {
    const path = endpoints[name].path.replace('{hash}', String(body.hash));
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    answers.push(text);
    return JSON.parse(text) as Answer;
  };
  const call: typeof ask = async (name, body, token) => {
    const answer = await ask(name, body, token);
    if (!answer.status) throw new Error(`${name} was refused: ${JSON.stringify(answer)}`);
    const { user_token, app_token } = answer;
    issued.push(...[user_token, app_token].filter(Boolean));
    return answer;
  };
  const refused = async (...[name, body, token]: Parameters<typeof ask>): Promise<void> => {
    const answer = await ask(name, body, token);
    if (answer.status) throw new Error(`${name} was not refused.`);
    requestIds.push(answer.request_id);
  };
  const link = async (to: string, subject: string) => {
    const token = await mailedToken(to, subject);
    issued.push(token);
    return token;
  };
  await liveLife({ call, refused, link, visit: (path) => fetch(url + path), ask });
  await liveAsOperator({ call, refused, ask }, invitation);
}

interface Hands {
  call: (
    name: EndpointName,
    body: Record<string, unknown>,
    token?: string,
  ) => Promise<{ user_token: string; provider: { id: string } }>;
  refused: (name: EndpointName, body: Record<string, unknown>, token?: string) => Promise<void>;
  link: (to: string, subject: string) => Promise<string>;
  visit: (path: string) => Promise<unknown>;
  ask: (name: EndpointName, body: Record<string, unknown>, token: string) => Promise<unknown>;
}

/** Saves a provider with a key, which the provider then repeats. */
async function liveAsOperator(
  { call, refused, ask }: Pick<Hands, 'call' | 'refused' | 'ask'>,
  token: string,
): Promise<void> {
  const password = secrets.secondPassword;
  await call('resetPassword', { token, password });
  const { user_token: operator } = await call('login', { email: operatorEmail, password });
  const kind = { name: 'Acme models', kind: 'openai', concurrency: 8, is_enabled: true };
  const saved = { ...kind, address: chat.url, key: secrets.savedKey };
  const { provider } = await call('saveProvider', saved, operator);
  const model = { ...modelToSave, provider_id: provider.id, submissions_per_row: 0 };
  await call('saveModel', model, operator);
  const question = `${secrets.prompt} [[repeat key 401]]`;
  await refused('askChatGpt', { question, query: { model: 'acme' } }, operator);
  await call('getProviders', {}, operator);
  await call('testProvider', { id: provider.id }, operator);
  await call('getAuditLog', { start: 0, limit: 50, search: '' }, operator);
  await call('getQuestionsAsked', { start: 0, limit: 10, search: '' }, operator);
  await ask('exportUserData', {}, operator);
}

async function liveLife({ call, refused, link, visit, ask }: Hands): Promise<void> {
  const {
    email,
    otherEmail,
    phone,
    lastName: last_name,
    password,
    secondPassword,
    thirdPassword,
    wrongPassword,
  } = secrets;
  const person = { first_name: 'Ned', last_name, email, phone, password };
  await call('registerUser', person);
  await refused('registerUser', { ...person, first_name: 'Ned\r\n{"level":50,"forged":true}' });
  await refused('registerUser', { ...person, password: email });
  const verification = await link(email, 'verify your email address');
  await refused('openEmailLink', { hash: verification });
  await visit(`/auth/verify?token=${verification}&email=${email}`);
  await call('verifyLink', { token: verification });
  await refused('login', { email, password: wrongPassword });
  await refused('login', { email: `${email}\n{"forged":true}`, password });
  const { user_token: first } = await call('login', { email, password });
  await refused('verifyAndUpdateUserDetails', { phone, first_name: 'Ned\r\nforged: true' }, first);
  await call(
    'verifyAndUpdateUserDetails',
    { email: otherEmail, current_password: password },
    first,
  );
  await call('verifyLink', { token: await link(otherEmail, 'new email address') });
  await refused('userList', {}, first);
  for (const status of [400, 401, 500]) {
    const question = `${secrets.prompt} [[repeat ${status}]]`;
    await refused('askChatGpt', { question, query: {} }, first);
  }
  const question = `${secrets.prompt} [[repeat key 401]]`;
  await refused('askChatGpt', { question, query: {} }, first);
  await ask('exportUserData', {}, first);
  await call('changePassword', { current_password: password, password: secondPassword }, first);
  await call('revokeSession', {}, first);
  await call('sendResetLinkEmail', { email: otherEmail });
  const reset = await link(otherEmail, 'Set a new password');
  await call('resetPassword', { token: reset, password: thirdPassword });
  await refused('resetPassword', { token: reset, password: thirdPassword });
  for (let n = 1; n < rateLimits.resetPerAddress.attempts; n++)
    await call('sendResetLinkEmail', { email: otherEmail });
  await refused('sendResetLinkEmail', { email: otherEmail });
  const { user_token: second } = await call('login', {
    email: otherEmail,
    password: thirdPassword,
  });
  await call('logout', {}, second);
  await refused('fetchUserDetail', {}, second);
}

async function mailedToken(to: string, subject: string): Promise<string> {
  for (;;) {
    const mail = (await outbox.list()).find(
      (kept) => kept.to === to && kept.subject.includes(subject),
    );
    const [, token] = /#([\w-]{43})/.exec(mail?.text ?? '') ?? [];
    if (token) return token;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

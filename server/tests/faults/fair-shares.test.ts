import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@rowmill/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { ProgressFeeds } from '../../src/domains/batches/results/progress-stream.ts';
import { insertPrompt } from '../../src/domains/prompts/store.ts';
import { fairShares } from '../../src/domains/requests/fair-shares.ts';
import { rateLimits } from '../../src/domains/requests/rate-limits.ts';
import { callsFor, requestRate } from '../../src/domains/requests/request-rate.ts';
import { searched } from '../../src/lib/search.ts';
import { startChat } from '../support/chat.ts';
import { isPostgres } from '../support/databases.ts';
import { startPaymentServer } from '../support/payment-server.ts';
import { boundary, openSocket, sheetPart } from '../support/raw-request.ts';
import { countStatements } from '../support/statements.ts';
import { receivedFiles, unfinishedFiles } from '../support/stored-files.ts';
import { startTestServer } from '../support/test-server.ts';
import { actingOf, createUser, type TestUser } from '../support/users.ts';
import { retryWhileBusy, until } from '../support/waiting.ts';

let greedy: TestUser;
let other: TestUser;
const { settings } = await startChat();
const server = await startTestServer(settings);
[greedy, other] = [await createUser(server), await createUser(server)];

const refusal = ({ message }: { message: string }) => ({ code: 'too_many_requests', message });

/** An upload that never ends. */
function holdUpload({ token }: TestUser) {
  const { socket, answer } = openSocket(server);
  const head = [
    `POST ${endpoints.saveFile.path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${token}`,
    `content-type: multipart/form-data; boundary=${boundary}`,
    'content-length: 1000000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(sheetPart('a\n1\n').subarray(0, -2));
  return { socket, answer };
}

describe('uploads', () => {
  const { perPerson, refusal: full } = fairShares.uploads;

  it('beyond the share are refused before a byte is stored, and others upload meanwhile', async () => {
    const held = Array.from({ length: 9 }, () => holdUpload(greedy));
    const refused = () => held.filter(({ answer }) => answer() !== '');
    await until(() => refused().length === held.length - perPerson);
    for (const { answer } of refused()) {
      expect(answer()).toMatch(/^HTTP\/1.1 429 /);
      expect(answer()).toContain(`retry-after: ${full.retryAfterSeconds}`);
      expect(answer()).toContain(full.message);
    }
    expect((await server.upload('a\n1\n', other)).status).toBe(200);
    for (const { socket } of held) socket.destroy();
    // The places are free again, and nothing is left on the disk.
    await until(async () => (await server.upload('a\n1\n', greedy)).status === 200);
    expect(await unfinishedFiles(server)).toEqual([]);
    server.clock.advance(60_000);
  });

  it('are imported in turn: a small sheet goes before the second large ones of two others', async () => {
    const large = `a,b\n${'1,2\n'.repeat(900_000)}`;
    const done: string[] = [];
    const upload = async (name: string, csv: string, person: TestUser) => {
      expect((await server.upload(csv, person)).status).toBe(200);
      done.push(name);
    };
    const both = (name: string, person: TestUser) =>
      Array.from({ length: perPerson }, () => upload(name, large, person));
    const all = [...both('large', greedy), ...both('large', await createUser(server))];
    const received = new Set<string>();
    await until(() => {
      for (const name of receivedFiles(server, large.length)) received.add(name);
      return received.size === all.length;
    });
    // Two are read, and the other two wait.
    await Promise.all([...all, upload('small', 'a\n1\n2\n3\n4\n5\n', other)]);
    expect(done.slice(-2)).toEqual(['large', 'large']);
  });
});

describe('event streams', () => {
  const { perPerson, refusal: full } = fairShares.streams;

  it('beyond the share are refused until one ends', async () => {
    const answers = [];
    for (let count = 0; count < perPerson + 4; count++)
      answers.push(await server.download('events', {}, greedy));
    const open = answers.filter(({ ok }) => ok);
    const refused = answers.filter(({ ok }) => !ok);
    expect([open.length, refused.length]).toEqual([perPerson, 4]);
    for (const answer of refused) {
      expect(answer.headers.get('retry-after')).toBe(String(full.retryAfterSeconds));
      expect(await answer.json()).toMatchObject(refusal(full));
    }
    const theirs = await server.download('events', {}, other);
    expect(theirs.status).toBe(200);
    await open[0]?.body?.cancel();
    await until(async () => {
      const again = await server.download('events', {}, greedy);
      await again.body?.cancel();
      return again.ok;
    });
    for (const { body } of [...open.slice(1), theirs]) await body?.cancel();
  });

  it('take no slot when their client leaves before they begin', async () => {
    const { token, ...person } = await createUser(server);
    const request = `GET ${endpoints.events.path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`;
    for (let count = 0; count < 5 * perPerson; count++) {
      const { socket } = openSocket(server);
      await new Promise<void>((resolve) => socket.write(request, () => resolve()));
      await setTimeout(count % 8);
      socket.destroy();
    }
    const open: Response[] = [];
    await until(async () => {
      const answer = await server.download('events', {}, { token, ...person });
      if (answer.ok) open.push(answer);
      return open.length === perPerson;
    });
    for (const { body } of open) await body?.cancel();
  });

  it('of one person read a change once for all of them', async () => {
    const { ctx } = server.app;
    const person = await createUser(server);
    const { counted, statements } = countStatements(ctx);
    const feeds = new ProgressFeeds();
    const streams = [];
    for (let count = 0; count < 5; count++)
      streams.push(await feeds.read(counted, actingOf(person)));
    for (const kind of ['credits', 'role'])
      for (const stream of streams) expect((await stream.next()).value).toMatchObject({ kind });
    const before = statements();
    await ctx.publish(ctx.db, { user_id: person.id });
    for (const stream of streams)
      expect((await stream.next()).value).toMatchObject({ kind: 'credits', user_id: person.id });
    expect(statements() - before).toBe(1);
    // A stream ends at once, even while it waits for a change.
    const waiting = streams.map((stream) => stream.next());
    for (const stream of streams) await stream.return();
    expect((await Promise.all(waiting)).every(({ done }) => done)).toBe(true);
  });
});

describe('downloads', () => {
  const { perPerson, refusal: full } = fairShares.downloads;

  it('beyond the share are refused until one ends', async () => {
    // Larger than what the sockets hold, so that a download that is not read stays open.
    const large = `a\n${`${'x'.repeat(50_000)}\n`.repeat(400)}`;
    const { body } = await server.upload(large, greedy);
    const { id } = body.file;
    const answers = [];
    for (let count = 0; count < perPerson + 2; count++)
      answers.push(await server.download('downloadUploadedCsv', { id }, greedy));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers.at(-1)?.headers.get('retry-after')).toBe(String(full.retryAfterSeconds));
    expect(await answers.at(-1)?.json()).toMatchObject(refusal(full));
    expect((await server.call('getFile', { id, limit: 1 }, greedy)).status).toBe(200);
    await answers[0]?.body?.cancel();
    expect(await answers[1]?.text()).toHaveLength(large.length);
    await until(async () => {
      const again = await server.download('downloadUploadedCsv', { id }, greedy);
      await again.body?.cancel();
      return again.ok;
    });
    await answers[2]?.body?.cancel();
  });
});

describe('searches', () => {
  const far = 'needle far behind';
  const near = 'needle in front';

  beforeAll(async () => {
    const { ctx } = server.app;
    const long = 'x'.repeat(90_000);
    for (let number = 0; number < 30; number++)
      await insertPrompt(ctx.db, {
        id: `long-${number}`,
        user_id: greedy.id,
        actor_id: greedy.id,
        template: number === 7 ? `${near} ${long} ${far}` : `${long} ${number}`,
        batch_id: null,
        sheet_name: null,
        rows: 1,
        state: 'answered',
        reserved: 0,
        answer: null,
        problem: null,
        ask_key: null,
        asked_at: ctx.clock.now(),
      });
  });

  const search = (text: string, person: TestUser) =>
    server.call('getQuestionsAsked', { search: text, limit: 1 }, person);

  it('read only the start of long texts', async () => {
    expect((await search(near, greedy)).body.total).toBe(1);
    expect((await search(far, greedy)).body.total).toBe(0);
    const recent = await server.call('recentQuestions', {}, greedy);
    expect(recent.body.questions).toHaveLength(10);
  });

  // On the embedded database a held table would hold every other statement too.
  it.runIf(isPostgres)(
    'of one person run one after the other, and too many are refused',
    async () => {
      const { perPerson, waiting, refusal: full } = fairShares.searches;
      const further = 3;
      let ended = 0;
      const send = (person: TestUser) =>
        retryWhileBusy(() => search(near, person)).finally(() => ended++);
      const sent: ReturnType<typeof send>[] = [];
      await server.app.ctx.db.transaction().execute(async (db) => {
        await sql`lock table single_prompts in access exclusive mode`.execute(db);
        sent.push(send(other));
        for (let count = 0; count < perPerson + waiting + further; count++) sent.push(send(greedy));
        await until(() => ended === further);
      });
      const [theirs, ...own] = await Promise.all(sent);
      expect(theirs?.status).toBe(200);
      const refused = own.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(further);
      for (const { status, headers, body } of refused) {
        expect(status).toBe(429);
        expect(headers.get('retry-after')).toBe(String(full.retryAfterSeconds));
        expect(body).toMatchObject(refusal(full));
      }
    },
  );
});

describe('failed single prompts', () => {
  it('are limited more narrowly than answered ones, and stored without their whole text', async () => {
    const { attempts } = rateLimits.failedPromptPerPerson;
    const question = `[[empty]] ${'x'.repeat(50_000)}`;
    const person = await createUser(server, { submissions: 200 });
    const ask = (text: string) => server.ask({ question: text, query: {} }, person);
    expect((await ask('Why?')).status).toBe(200);
    // A few at a time, because PostgreSQL's pool refuses a crowd.
    for (let asked = 0; asked < attempts; asked += 5) {
      const failed = await Promise.all(
        Array.from({ length: 5 }, () => retryWhileBusy(() => ask(question))),
      );
      expect(failed.map(({ status }) => status)).toEqual(failed.map(() => 502));
    }
    const refused = await ask(question);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    const { body } = await server.call('getQuestionsAsked', { limit: 1 }, person);
    expect(body.questions[0]?.question).toBe(question.slice(0, searched.characters));
    expect(body.total).toBe(attempts + 1);
    server.clock.advance(15 * 60_000);
    expect((await ask('Why?')).status).toBe(200);
  });
});

describe('a flood of large bodies without a session', () => {
  it.each([endpoints.registerUser.path, '/webhooks/stripe'])(
    'is refused for its network alone: %s',
    async (path) => {
      const flooded = await startPaymentServer({ TRUSTED_PROXIES: '127.0.0.1' });
      const person = await createUser(flooded);
      const body = JSON.stringify({ selectedPlan: 'x'.repeat(250_000) });
      const send = async (network: string) => {
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': network };
        return (await fetch(flooded.app.url + path, { method: 'POST', headers, body })).status;
      };
      const most = Math.ceil(requestRate.atOnce / callsFor(body.length));
      await expect
        .poll(() => Promise.all(Array.from({ length: most }, () => send('198.51.100.7'))))
        .toContain(429);
      expect(await send('203.0.113.9')).not.toBe(429);
      expect((await flooded.call('getAvailableCredits', {}, person)).status).toBe(200);
    },
  );
});

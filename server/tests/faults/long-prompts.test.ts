import { expect, it } from 'vitest';
import { whenEnded } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';

const { settings } = await startChat();
const server = await startTestServer(settings);

/** 60 rows of 20,000 characters; a prompt that names the column 10,000 times would have 200 MB. */
const sheet = `a\n${`${'x'.repeat(20_000)}\n`.repeat(60)}`;
const bomb = '{{a}}'.repeat(10_000);

async function upload(csv: string) {
  const user = await createUser(server, { submissions: 100 });
  const { body } = await server.upload(csv, user);
  return { user, file: body.file.id };
}

it('quotes, previews and starts prompts of 200 MB without building them, and charges nothing', async () => {
  const { user, file } = await upload(sheet);
  const ask = (query: object) =>
    server.ask({ questionWithVariable: bomb, query: { file, ...query } }, user);
  const { body: quoted } = await ask({ quote: true });
  expect(quoted.quote).toMatchObject({ rows: 60, too_long: 60, needed: 0 });
  expect((await ask({ preview: 5 })).body.answers).toEqual([]);
  const { body } = await ask({ start: true });
  const batch = await whenEnded(server, user, body.batch?.id ?? '');
  expect(batch).toMatchObject({ answered: 0, failed: 60, charged: 0 });
  const { body: listed } = await server.call('getRows', { id: batch.id, limit: 5 }, user);
  expect(listed.rows[0]?.problem).toMatch(/200,000,000 characters; the limit is 262,144/);
});

it('skips empty rows and rows whose used columns are empty, and says so in the quote', async () => {
  const { user, file } = await upload('a,b\n1,x\n,\n ,  \n2,y\n3,\n');
  const request = { questionWithVariable: 'Say hello to {{b}}', query: { file } };
  const { body: quoted } = await server.ask({ ...request, query: { file, quote: true } }, user);
  expect(quoted.quote).toMatchObject({ rows: 5, blank: 3, incomplete: 0, needed: 2 });
  const { body } = await server.ask({ ...request, query: { file, start: true } }, user);
  const batch = await whenEnded(server, user, body.batch?.id ?? '');
  expect(batch).toMatchObject({ state: 'completed', rows: 5, answered: 2, failed: 0, charged: 2 });
  expect(batch.receipt).toEqual({ answered: 2, failed: 0, skipped: 3, charged: 2, returned: 0 });
  // Nothing has failed, so there is nothing to retry.
  expect(batch.actions).toEqual(['download', 'delete']);
  const { id } = batch;
  const again = { file, start: true, again: { batch: id, rows: 'failed' as const } };
  const refused = await server.ask({ ...request, query: again }, user);
  expect(refused.body).toMatchObject({ code: 'invalid_input' });
  const rowsOf = async (search: object) =>
    (await server.call('getRows', { id, ...search }, user)).body;
  const skipped = await rowsOf({ filter: 'skipped' });
  expect(skipped).toMatchObject({ total: 3, rows: [{ row: 1 }, { row: 2 }, { row: 4 }] });
  expect(skipped.rows[0]).toMatchObject({
    state: 'skipped',
    answer: null,
    charge: null,
    tokens: null,
  });
  const isSkipped = { column: 'state', is: 'equals', value: 'skipped' };
  const found = await rowsOf({ conditions: [isSkipped], count: 'state' });
  expect(found).toMatchObject({ total: 3, values: [{ value: 'skipped', rows: 3 }] });
  const results = await server.download(
    'downloadChatGptResponse',
    { file: id, format: 'jsonl' },
    user,
  );
  const lines = (await results.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ state, problem }) => [state, problem !== null])).toEqual([
    ['answered', false],
    ['skipped', true],
    ['skipped', true],
    ['answered', false],
    ['skipped', true],
  ]);
  const wrong = { id, rows: [1], judgement: 'right' as const };
  expect((await server.call('judgeAnswers', wrong, user)).body.code).toBe('not_now');
});

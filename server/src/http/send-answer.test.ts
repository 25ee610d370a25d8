import { expect, it } from 'vitest';
import { jsonInParts } from './send-answer.ts';

it.each([
  {},
  { status: true },
  { list: [], none: undefined, text: 'a "b" é\u2028' },
  { list: [1, null, { a: [1, 2] }, [], undefined, 'x'], 'a "name"': null, total: 0 },
])('writes %j as JSON.stringify does', async (answer) => {
  expect(`${Buffer.concat(await jsonInParts(answer))}`).toBe(JSON.stringify(answer));
});

it('gives other work its turn between long rows', async () => {
  const rows = Array.from({ length: 200 }, () => ({ cells: ['é'.repeat(100_000)] }));
  let isWritten = false;
  let turns = 0;
  const other = (): void => {
    turns++;
    if (!isWritten) setImmediate(other);
  };
  setImmediate(other);
  await jsonInParts({ rows });
  isWritten = true;
  expect(turns).toBeGreaterThan(1);
});

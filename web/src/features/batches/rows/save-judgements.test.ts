import { expect, it } from 'vitest';
import { inGroups } from './save-judgements.tsx';

it('saves the rows of each judgement together, up to 1,000 in a call', () => {
  const judged = Array.from({ length: 1_502 }, (_, row) => ({
    id: 'batch',
    rows: [row],
    judgement: row < 2 ? null : ('right' as const),
  }));
  const calls = inGroups(judged);
  expect(calls.map(({ judgement, rows }) => [judgement, rows.length])).toEqual([
    [null, 2],
    ['right', 1_000],
    ['right', 500],
  ]);
  expect(calls.flatMap(({ rows }) => rows)).toEqual(judged.flatMap(({ rows }) => rows));
});

import { expect, it } from 'vitest';
import { answerParts } from './answer-parts.ts';

it.each([
  ['plain words', ['mood'], null],
  ['{"mood":"glad"}', [], null],
  ['["glad"]', ['mood'], null],
  ['{"other":1}', ['mood'], null],
  [
    '{"mood":"glad","score":3}',
    ['mood', 'score', 'none'],
    [
      ['mood', 'glad'],
      ['score', '3'],
      ['none', ''],
    ],
  ],
  ['```json\n{"mood":{"a":null}}\n```', ['mood'], [['mood', '{"a":null}']]],
  [
    '{"mood":null}',
    ['mood', 'toString'],
    [
      ['mood', ''],
      ['toString', ''],
    ],
  ],
])('%s', (answer, outputs, parts) => {
  expect(answerParts(answer, outputs)?.map(({ name, value }) => [name, value]) ?? null).toEqual(
    parts,
  );
});

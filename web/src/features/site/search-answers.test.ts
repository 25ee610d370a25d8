import { expect, it } from 'vitest';
import { helpTopics } from '../../texts/site.ts';
import { type Answer, anchorOf, searchAnswers } from './search-answers.ts';

const helpAnswers: readonly Answer[] = helpTopics.flatMap(({ answers }) => answers);
const answers: readonly Answer[] = [
  ['How do I verify my email address?', 'Open the link.'],
  ['What does a café pay?', 'Nothing: “all” is free.'],
  ['Can I stop a batch?', 'Yes, at any time.'],
];

it.each([
  ['', [0, 1, 2]],
  ['   ', [0, 1, 2]],
  ['LINK', [0]],
  ['link e-mail', [0]],
  ['email link', [0]],
  ['batch stop', [2]],
  ['stop the batch', []],
  ['cafe', [1]],
  ['CAFÉ?', [1]],
  ['"all"', [1]],
  ['i', [0, 1, 2]],
  ['$^[', []],
] as const)('finds for “%s” the answers %o', (search, found) => {
  expect(searchAnswers(answers, search)).toEqual(found.map((index) => answers[index]));
});

it('answers a question once', () => {
  expect(new Set(helpAnswers.map(([question]) => question)).size).toBe(helpAnswers.length);
  expect(helpAnswers.length).toBeGreaterThanOrEqual(12);
  expect(anchorOf('What is a submission?')).toBe('what-is-a-submission');
});

it.each([
  'upload csv',
  'price before',
  'pause',
  'receipt',
  'failed row',
  'xlsx',
  'privacy',
  'client',
  'wallet',
  'delete',
  'password',
])('has something to say about “%s”', (search) => {
  expect(searchAnswers(helpAnswers, search).length).toBeGreaterThan(0);
});

import { expect, it } from 'vitest';
import { estimateFacts } from './estimate.ts';

it('says what is estimated with its range, and leaves out what is unknown', () => {
  const estimates = {
    submissions: { low: 12, expected: 12, high: 12 },
    tokens: { low: 900, expected: 1_200, high: 1_500 },
    seconds: { low: 100, expected: 130, high: 170 },
  };
  expect(estimateFacts(estimates)).toEqual([
    {
      what: 'seconds',
      name: 'Time',
      expected: 'about 2 minutes',
      range: 'about 2 minutes to about 3 minutes',
    },
    { what: 'tokens', name: 'Tokens', expected: '1,200 tokens', range: '900 to 1,500' },
    { what: 'submissions', name: 'Submissions', expected: '12 submissions', range: null },
  ]);
  expect(estimateFacts({ ...estimates, tokens: null, seconds: null })).toHaveLength(1);
});

import { expect, it } from 'vitest';
import { rowsNotDone, runsUntriedRows, unusedGoBack } from './batches/batch.ts';
import { added } from './billing.ts';
import { batchesStuck } from './dashboard.ts';
import { callsAtOnce, pausedBatches } from './operator/providers.ts';
import { submissionsAdded } from './shop.ts';

const one = { waiting: '1', rows: '12', name: 'a.csv' };

it.each([
  [rowsNotDone(one), '1 of 12 rows of “a.csv” is not done yet.'],
  [rowsNotDone({ ...one, waiting: '2' }), '2 of 12 rows of “a.csv” are not done yet.'],
  [rowsNotDone({ ...one, rows: '1' }), '1 of 1 row of “a.csv” is not done yet.'],
  [runsUntriedRows(one), '1 row of “a.csv” has no answer yet. It runs now.'],
  [unusedGoBack('1'), 'Unused submissions go back to your balance. 1 is reserved now.'],
  [callsAtOnce('1'), '1 call at once'],
  [callsAtOnce('8'), '8 calls at once'],
  [
    pausedBatches({ batches: 1, shown: '1', isInUse: false }),
    '1 batch is paused: this provider is turned off. It resumes when it is in use again.',
  ],
  [
    pausedBatches({ batches: 2, shown: '2', isInUse: true }),
    '2 batches are paused: this provider is down or refuses requests. They resume when “Test” gets an answer.',
  ],
  [
    batchesStuck(1),
    '1 batch is paused because the model provider is down, turned off or refuses requests',
  ],
  [added('1'), '1 submission added.'],
  [submissionsAdded('500'), 'Added to your cart: 500 submissions.'],
])('counts in words: %s', (said, words) => {
  expect(said).toBe(words);
});

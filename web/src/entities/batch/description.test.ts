import { describe, expect, it } from 'vitest';
import {
  describePause,
  describeRate,
  describeTimeLeft,
  missingSubmissions,
  percentDone,
  waitingRows,
} from './description.ts';

describe('missing submissions', () => {
  const batch = { needed: 24 };

  it.each([
    [0, 0, 24],
    [20, 0, 4],
    [24, 0, 0],
    [500, 0, 0],
    [0, 30, 54],
  ])('beside a balance of %i and a debt of %i are %i', (creditsAvailable, debt, missing) => {
    expect(missingSubmissions(batch, { creditsAvailable, debt })).toBe(missing);
  });
});

it.each([
  [0, 'You don’t need to do anything.'],
  [50, 'The others need more submissions.'],
])('says what a wait for capacity means when %i submissions are missing', (needed, end) => {
  const pause = { state: 'paused', pause_reason: 'no_capacity', pause_detail: null } as const;
  expect(describePause({ ...pause, needed })?.next.endsWith(end)).toBe(true);
});

describe('the time left', () => {
  it.each([
    [null, 'Time left unknown'],
    [0, 'a few seconds'],
    [9, 'a few seconds'],
    [11, 'about 20 seconds'],
    [49, 'about 50 seconds'],
    [55, 'about a minute'],
    [89, 'about a minute'],
    [90, 'about 2 minutes'],
    [170, 'about 3 minutes'],
    [3_569, 'about 59 minutes'],
    [3_570, 'about 1 hour'],
    [4_800, 'about 1 hour 20 minutes'],
    [7_190, 'about 2 hours'],
    [86_400, 'about 24 hours'],
    [129_600, 'about 2 days'],
    [8_640_000, 'about 100 days'],
  ])('is described for %s seconds as “%s”', (seconds, words) => {
    expect(describeTimeLeft(seconds)).toBe(words);
  });
});

it.each([
  [null, 'No rate yet'],
  [0, '0 rows/min'],
  [1.26, '1.3 rows/min'],
  [59.6, '60 rows/min'],
  [12_345.6, `${new Intl.NumberFormat().format(12_346)} rows/min`],
])('describes the rate %s as “%s”', (rate, words) => {
  expect(describeRate(rate)).toBe(words);
});

it.each([
  [{ rows: 0, answered: 0, failed: 0, skipped: 0 }, 100, 0],
  [{ rows: 3, answered: 1, failed: 1, skipped: 0 }, 66, 1],
  [{ rows: 100_000, answered: 99_998, failed: 1, skipped: 0 }, 99, 1],
  [{ rows: 3, answered: 1, failed: 1, skipped: 1 }, 100, 0],
])('counts the finished and waiting rows of %j', (counts, percent, waiting) => {
  expect(percentDone(counts)).toBe(percent);
  expect(waitingRows(counts)).toBe(waiting);
});

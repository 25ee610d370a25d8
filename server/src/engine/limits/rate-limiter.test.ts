import { describe, expect, it } from 'vitest';
import {
  drawScenes,
  type Result,
  type Scene,
  simulate,
} from '../../../harness/pacing/simulation.ts';

/** More with PACING_SEEDS=1,2,3: 24 scenes each. */
const seeds = (process.env.PACING_SEEDS ?? '20261122,7').split(',').map(Number);
/** Who share the key in these scenes. */
const people = Number(process.env.PACING_PEOPLE ?? 1);

const few = { maxInFlight: 64, latency: 50 };
const noisy = { ...few, noise: 0.05 };
const fast = { maxInFlight: 256, latency: 50 };
/** The second worker starts after the first. */
const late = { ...fast, workers: 2, startGap: 300 };
const small = { maxInFlight: 16, latency: 200, bucket: 5 };
const window = (milliseconds: number, calls: number) => ({ window: { milliseconds, calls } });
const scenes: Scene[] = [
  { name: 'no fault', ...fast, ideal: 5_120 },
  { name: '5% 429 with a second', ...noisy, ideal: 1_273 },
  { name: '5% 429 with a second, 256', ...noisy, maxInFlight: 256, ideal: 5_092 },
  { name: '5% 429 with two seconds', ...noisy, noiseSeconds: 2, ideal: 1_273 },
  { name: '20% 503 without a time', ...noisy, noise: 0.2, noiseSeconds: null, ideal: 1_249 },
  { name: '5% 429, answers after 5 s', ...noisy, maxInFlight: 16, latency: 5_000, ideal: 3.05 },
  { name: 'bucket', ...fast, bucket: 1_000, ideal: 1_000 },
  { name: 'bucket, times in seconds', ...fast, bucket: 1_000, isRounded: true, ideal: 1_000 },
  { name: 'bucket, no times', ...fast, bucket: 1_000, isSilent: true, ideal: 1_000 },
  { name: 'bucket and 5% noise', ...fast, bucket: 1_000, noise: 0.05, ideal: 950 },
  { name: 'bucket that is stated', ...fast, bucket: 1_000, isStated: true, ideal: 1_000 },
  { name: 'bucket of two people', ...fast, people: 2, bucket: 1_000, ideal: 1_000 },
  { name: 'overload of two people', ...fast, people: 2, overload: 128, ideal: 2_560 },
  { name: 'window of two people', ...fast, people: 2, ...window(1_000, 500), ideal: 500 },
  { name: 'bucket of two workers', ...fast, workers: 2, bucket: 1_000, ideal: 1_000 },
  { name: 'bucket of four workers', ...fast, workers: 4, bucket: 1_000, ideal: 1_000 },
  { name: 'window of four workers', ...fast, workers: 4, ...window(1_000, 500), ideal: 500 },
  { name: 'bucket and noise, four', ...fast, workers: 4, bucket: 500, noise: 0.05, ideal: 475 },
  { name: 'overload of two workers', ...fast, workers: 2, overload: 128, ideal: 2_560 },
  { name: 'overload of two, slow answers', ...late, latency: 1_000, overload: 128, ideal: 128 },
  ...[2, 4].flatMap((workers): Scene[] => [
    {
      name: `overload of ${workers}, late`,
      ...few,
      workers,
      startGap: 300,
      overload: 32,
      ideal: 640,
    },
    { name: `noise, ${workers} late`, ...late, workers, bucket: 500, noise: 0.05, ideal: 475 },
  ]),
  ...[1, 2].map((workers) => ({
    name: `bucket of a minute, ${workers} workers`,
    ...few,
    workers,
    bucket: 10,
    bucketSeconds: 60,
    seconds: 60,
    ideal: 10,
  })),
  { name: 'small bucket', ...small, ideal: 5 },
  { name: 'small bucket, no times', ...small, isSilent: true, ideal: 5 },
  { name: 'window', ...fast, ...window(1_000, 500), ideal: 500 },
  { name: 'long window', ...few, ...window(10_000, 1_000), ideal: 100 },
  { name: 'tokens', ...fast, tokens: 100_000, ideal: 1_000 },
  { name: 'overload', ...fast, overload: 128, ideal: 2_560 },
  { name: 'overload, a short run', ...few, overload: 32, seconds: 10, ideal: 640 },
  // A busy client sees answers late, so calls are accepted although more seem to be in flight.
  ...[
    { overload: 32, busy: 7, ideal: 640 },
    { overload: 48, busy: 10, ideal: 960 },
    { overload: 32, busy: 7, spread: 0, ideal: 640 },
    { maxInFlight: 256, overload: 64, busy: 3, ideal: 1_280 },
  ].map((scene) => ({
    name: `overload above ${scene.overload} that begins, seen every ${scene.busy} ms`,
    ...few,
    overloadFrom: 61,
    seconds: 10,
    ...scene,
  })),
  {
    name: 'bucket that grows tenfold',
    ...fast,
    bucket: (now) => (now < 20_000 ? 100 : 1_000),
    seconds: 60,
    ideal: 700,
  },
  {
    name: 'bucket that shrinks and grows',
    ...fast,
    bucket: (now) => (now > 10_000 && now < 30_000 ? 300 : 1_000),
    seconds: 120,
    ideal: 883,
  },
  { name: 'key refused for 10 of 30 seconds', ...few, outage: [10_000, 20_000], ideal: 853 },
  // The refusals of an outage say nothing about the limit before and after it.
  ...[1, 2].flatMap((workers): Scene[] =>
    [1_280, 300].map((bucket) => ({
      name: `key of ${bucket} a second refused for 4 of 30 seconds, each call for one, ${workers} workers`,
      ...few,
      workers,
      startGap: 100,
      bucket,
      outage: [4_000, 8_000],
      outageSeconds: 1,
      ideal: bucket * (26 / 30),
    })),
  ),
  {
    name: 'bucket of two late workers, times in seconds',
    ...late,
    maxInFlight: 64,
    bucket: 300,
    isRounded: true,
    seconds: 20,
    ideal: 300,
  },
];

describe('a chosen scene', () => {
  it.each(scenes)('$name', (scene) => {
    const { share, least, lateShare, refused } = simulate(scene);
    expect(share).toBeGreaterThanOrEqual(0.8);
    // No worker starves.
    expect(least).toBeGreaterThanOrEqual(0.75);
    if (typeof scene.bucket === 'number' || scene.tokens)
      expect(lateShare).toBeGreaterThanOrEqual(0.9);
    expect(refused).toBeLessThanOrEqual(0.06);
  });
});

it('does not search for a higher limit with the last rows, because a refused one waits alone', () => {
  const ends = Array.from({ length: 20 }, (_, index) => 10 + index / 2);
  const countRefused = (isEnding: boolean) =>
    ends.filter((seconds) => {
      const lateFrom = seconds * 1_000;
      const scene = { ...noisy, name: 'the last second', noise: 0, bucket: 300, ideal: 300 };
      const last = { seconds: seconds + 1, lateFrom, ...(isEnding ? { endsFrom: lateFrom } : {}) };
      return simulate({ ...scene, ...last }).refused > 0;
    }).length;
  expect(countRefused(false)).toBeGreaterThanOrEqual(6);
  expect(countRefused(true)).toBeLessThanOrEqual(3);
});

describe('scenes drawn at random', () => {
  const results = seeds
    .flatMap((seed) => drawScenes(24, seed))
    .map((scene) => ({ name: scene.name, ...simulate({ ...scene, people }) }));

  const sorted = (of: (result: Result) => number) =>
    results.map(of).toSorted((one, other) => one - other);
  const shares = sorted(({ share }) => share);
  const refused = sorted((result) => result.refused);
  if (process.env.PACING_SEEDS)
    process.stdout.write(
      `${results
        .filter(({ share }) => share < 0.8)
        .map(({ name, share }) => `${name}: ${share.toFixed(2)}\n`)
        .join(
          '',
        )}worst ${shares[0]}, median ${at(shares, 0.5)}, one in twenty ${at(shares, 0.05)}, refused: mean ${mean(refused)}, median ${at(refused, 0.5)}\n`,
    );

  it('get most of what is possible', () => {
    expect(at(shares, 0)).toBeGreaterThanOrEqual(0.8);
    expect(at(shares, 0.05)).toBeGreaterThanOrEqual(0.85);
    expect(at(shares, 0.5)).toBeGreaterThanOrEqual(0.95);
  });

  it('have few calls refused beyond the noise', () => {
    expect(at(refused, 0.5)).toBeLessThanOrEqual(0.02);
    expect(mean(refused)).toBeLessThanOrEqual(0.02);
  });
});

function at(values: readonly number[], part: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

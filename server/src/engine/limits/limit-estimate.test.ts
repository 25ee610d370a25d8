import { expect, it } from 'vitest';
import { LimitEstimate, type ObservedCall } from './limit-estimate.ts';

function sampleOf(calls: readonly ObservedCall[]) {
  const refused = calls.filter(({ isRefused }) => isRefused).length;
  return { idle: 0, seconds: 0.1, calls, refused };
}

const callsOf = (length: number, isRefused = false) =>
  Array.from({ length }, () => ({ inFlight: 64, isRefused }));

/** Learns a sample in which `late` calls are refused afterwards, and then refused samples. */
function estimateAfter(late: number): LimitEstimate {
  const estimate = new LimitEstimate();
  const accepted = callsOf(40);
  estimate.learn(sampleOf(accepted));
  for (const call of accepted.slice(0, late)) call.isRefused = true;
  for (let sample = 0; sample < 5; sample++)
    estimate.learn(sampleOf([...callsOf(10), ...callsOf(50, true)]));
  return estimate;
}

it('finds no limit until a call is refused', () => {
  const estimate = new LimitEstimate();
  for (let sample = 0; sample < 100; sample++) estimate.learn(sampleOf(callsOf(40)));
  expect(estimate).toMatchObject({ rate: Infinity, ceiling: Infinity });
});

it('learns nothing from what happens to a call after its sample', () => {
  const { rate, noise } = estimateAfter(0);
  expect(rate).toBeLessThan(1_000);
  expect(estimateAfter(39)).toMatchObject({ rate, noise });
});

import { expect, it } from 'vitest';
import { LimitEstimate, type Sent } from './limit-estimate.ts';

function momentOf(calls: readonly Sent[]) {
  const refused = calls.filter(({ isRefused }) => isRefused).length;
  return { idle: 0, seconds: 0.1, calls, refused };
}

const callsOf = (length: number, isRefused = false) =>
  Array.from({ length }, () => ({ inFlight: 64, isRefused }));

/** A calm moment, of which `late` calls are refused after it was learned, and then moments with refusals. */
function estimateAfter(late: number): LimitEstimate {
  const estimate = new LimitEstimate();
  const calm = callsOf(40);
  estimate.learn(momentOf(calm));
  for (const call of calm.slice(0, late)) call.isRefused = true;
  for (let moment = 0; moment < 5; moment++)
    estimate.learn(momentOf([...callsOf(10), ...callsOf(50, true)]));
  return estimate;
}

it('knows no limit until a call is refused', () => {
  const estimate = new LimitEstimate();
  for (let moment = 0; moment < 100; moment++) estimate.learn(momentOf(callsOf(40)));
  expect(estimate).toMatchObject({ rate: Infinity, ceiling: Infinity });
});

it('learns nothing from what happens to a call after its moment', () => {
  const { rate, noise } = estimateAfter(0);
  expect(rate).toBeLessThan(1_000);
  expect(estimateAfter(39)).toMatchObject({ rate, noise });
});

import { expect, it } from 'vitest';
import { costOf } from './call-cost.ts';

const costs = {
  input_cost: 2_000_000,
  cached_cost: 500_000,
  output_cost: 8_000_001,
  flex_cost_percent: 50,
};
const tokens = { input: 1_000, cached: 400, output: 3, reasoning: 2 };
const full = 600 * 2_000_000 + 400 * 500_000 + 3 * 8_000_001;

const uncached = 1_000 * 2_000_000 + 3 * 8_000_001;
const free = { input_cost: 0, cached_cost: null, output_cost: 0 };
it.each<[string, Partial<Parameters<typeof costOf>[0]>, string | undefined, number | null]>([
  ['each kind of token at its own cost', {}, undefined, full],
  ['cached tokens like others without an own cost', { cached_cost: null }, undefined, uncached],
  ['half in the flex tier, in whole units', {}, 'flex', Math.round(full / 2)],
  ['as much in a flex tier that is not cheaper', { flex_cost_percent: 100 }, 'flex', full],
  ['all when another tier answered', {}, 'default', full],
  ['nothing for a free model', free, undefined, 0],
  ['nothing that is known without a cost of input', { input_cost: null }, undefined, null],
  ['nothing that is known without a cost of output', { output_cost: null }, undefined, null],
])('costs %s', (_case, change, tier, cost) => {
  expect(costOf({ ...costs, ...change }, tokens, tier)).toBe(cost);
});

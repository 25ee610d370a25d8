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

it.each([
  ['each kind of token at its own cost', costs, undefined, full],
  [
    'cached tokens like others without a cost of their own',
    { ...costs, cached_cost: null },
    undefined,
    1_000 * 2_000_000 + 3 * 8_000_001,
  ],
  ['half in the flex tier, in whole units', costs, 'flex', Math.round(full / 2)],
  [
    'as much in a flex tier that is not cheaper',
    { ...costs, flex_cost_percent: 100 },
    'flex',
    full,
  ],
  ['all when another tier answered', costs, 'default', full],
  [
    'nothing for a free model',
    { ...costs, input_cost: 0, cached_cost: null, output_cost: 0 },
    undefined,
    0,
  ],
  [
    'nothing that is known without a cost of input',
    { ...costs, input_cost: null },
    undefined,
    null,
  ],
  [
    'nothing that is known without a cost of output',
    { ...costs, output_cost: null },
    undefined,
    null,
  ],
])('costs %s', (_case, model, tier, cost) => {
  expect(costOf(model, tokens, tier)).toBe(cost);
});

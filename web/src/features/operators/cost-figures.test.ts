import type { CostRow } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { costOf, costsAsCsv, marginOf, sumOf } from './cost-figures.ts';

const row = (change: Partial<CostRow> = {}): CostRow => ({
  key: 'a',
  label: 'Model “A”',
  answers: 10,
  submissions: 20,
  tokens: { input: 100, cached: 40, output: 50, reasoning: 5 },
  cost_minor: 12.5,
  unknown_costs: 0,
  revenue_minor: 40,
  ...change,
});

it('adds rows up, and gives no sum of unknown values', () => {
  expect(sumOf([row(), row()])).toMatchObject({
    answers: 20,
    tokens: { input: 200, cached: 80 },
    cost_minor: 25,
    revenue_minor: 80,
  });
  const unknown = row({ cost_minor: 0, unknown_costs: 3 });
  const partly = sumOf([row(), unknown]);
  expect(partly).toMatchObject({ cost_minor: 12.5, unknown_costs: 3 });
  expect([unknown, partly].map(costOf)).toEqual([null, 12.5]);
  expect(sumOf([row(), row({ revenue_minor: null })]).revenue_minor).toBeNull();
  expect([row(), row({ revenue_minor: null }), unknown].map(marginOf)).toEqual([27.5, null, null]);
});

it('writes a file that no spreadsheet takes for formulas', () => {
  const labels = ['=1+1,"x"', ' =1+1', '＠SUM(1)'];
  const rows = [
    ...labels.map((label) => row({ label })),
    row({ cost_minor: 0, unknown_costs: 10 }),
    row({ cost_minor: 50 }),
  ];
  const lines = costsAsCsv(rows, { by: 'model', currency: 'GBP' });
  expect(lines.split('\r\n')).toEqual([
    '\ufeffmodel,answers,submissions,input_tokens,cached_tokens,output_tokens,reasoning_tokens,cost,unknown_costs,revenue,margin,currency',
    '"\'=1+1,""x""",10,20,100,40,50,5,0.125000,0,0.400000,0.275000,GBP',
    "' =1+1,10,20,100,40,50,5,0.125000,0,0.400000,0.275000,GBP",
    "'＠SUM(1),10,20,100,40,50,5,0.125000,0,0.400000,0.275000,GBP",
    'Model “A”,10,20,100,40,50,5,,10,0.400000,,GBP',
    'Model “A”,10,20,100,40,50,5,0.500000,0,0.400000,-0.100000,GBP',
    '',
  ]);
});

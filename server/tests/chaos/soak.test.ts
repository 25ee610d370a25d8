import { expect, it } from 'vitest';
import { grown } from './soak.ts';

const samples = (late: number) =>
  Array.from({ length: 100 }, (_, index) => (index < 20 ? 300 : 200 + (index * late) / 100));

it.each([
  ['stays flat after warming up', samples(0), 0],
  ['grows by less than a twentieth', samples(10), 0],
  ['grows by more', samples(20), 1],
  ['was never measured', [], 1],
])('a soak in which memory %s has the right number of problems', (_, measured, problems) => {
  expect(grown('api-1', measured)).toHaveLength(problems);
});

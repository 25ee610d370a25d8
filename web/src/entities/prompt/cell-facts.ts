import { type Cell, type Output, outputNames } from '@rowmill/contract';
import type { Fact } from '../../ui/fact-list.tsx';
import { choicePills } from './choice-pills.tsx';

/** The values of an answer with the names of their columns. */
export function cellFacts(cells: readonly Cell[], outputs: readonly Output[]): Fact[] {
  const names = outputNames(outputs);
  return cells.map(({ text }, index) => ({
    name: names[index] ?? '',
    value: choicePills(text, outputs[index]) ?? text,
  }));
}

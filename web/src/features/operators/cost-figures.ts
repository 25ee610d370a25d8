import { type CostRow, csvLine } from '@rowmill/contract';
import * as texts from '../../texts/operator/costs.ts';

export function marginOf({ cost_minor, revenue_minor }: CostRow): number | null {
  return cost_minor === null || revenue_minor === null ? null : revenue_minor - cost_minor;
}

/** An amount is unknown as soon as one of its parts is. */
export function sumOf(rows: readonly CostRow[]): CostRow {
  const sum = (read: (row: CostRow) => number) => rows.reduce((all, row) => all + read(row), 0);
  const amount = (read: (row: CostRow) => number | null) =>
    rows.some((row) => read(row) === null) ? null : sum((row) => read(row) ?? 0);
  return {
    key: '',
    label: texts.total,
    answers: sum(({ answers }) => answers),
    submissions: sum(({ submissions }) => submissions),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      cached: sum(({ tokens }) => tokens.cached),
      output: sum(({ tokens }) => tokens.output),
      reasoning: sum(({ tokens }) => tokens.reasoning),
    },
    cost_minor: amount(({ cost_minor }) => cost_minor),
    revenue_minor: amount(({ revenue_minor }) => revenue_minor),
  };
}

/** Amounts in the currency. */
export function costsAsCsv(rows: readonly CostRow[], by: string): string {
  const money = (minor: number | null) => (minor === null ? '' : (minor / 100).toFixed(6));
  const lines = rows.map((row) => [
    row.label,
    `${row.answers}`,
    `${row.submissions}`,
    ...Object.values(row.tokens).map(String),
    money(row.cost_minor),
    money(row.revenue_minor),
    money(marginOf(row)),
  ]);
  return [[by, ...texts.csvTitles], ...lines].map((cells) => csvLine(cells)).join('');
}

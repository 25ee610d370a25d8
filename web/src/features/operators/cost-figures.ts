import { byteOrderMark, type CostRow, csvLine } from '@rowmill/contract';
import { toMajor } from '../../lib/format-money.ts';
import * as texts from '../../texts/operator/costs.ts';

/** Of the answers whose cost is known; null when none is. */
export function costOf({ cost_minor, unknown_costs }: CostRow): number | null {
  return cost_minor === 0 && unknown_costs > 0 ? null : cost_minor;
}

/** With answers of unknown cost it is less than this. */
export function marginOf(row: CostRow): number | null {
  const cost = costOf(row);
  return cost === null || row.revenue_minor === null ? null : row.revenue_minor - cost;
}

/** The revenue is unknown as soon as one of its parts is. */
export function sumOf(rows: readonly CostRow[]): CostRow {
  const sum = (read: (row: CostRow) => number) => rows.reduce((all, row) => all + read(row), 0);
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
    cost_minor: sum(({ cost_minor }) => cost_minor),
    unknown_costs: sum(({ unknown_costs }) => unknown_costs),
    revenue_minor: rows.some(({ revenue_minor }) => revenue_minor === null)
      ? null
      : sum(({ revenue_minor }) => revenue_minor ?? 0),
  };
}

/** Amounts in the currency. */
export function costsAsCsv(
  rows: readonly CostRow[],
  { by, currency }: { by: string; currency: string },
): string {
  const money = (minor: number | null) =>
    minor === null ? '' : toMajor(minor, currency).toFixed(6);
  const lines = rows.map((row) => [
    row.label,
    `${row.answers}`,
    `${row.submissions}`,
    ...Object.values(row.tokens).map(String),
    money(costOf(row)),
    `${row.unknown_costs}`,
    money(row.revenue_minor),
    money(marginOf(row)),
    currency,
  ]);
  return (
    byteOrderMark + [[by, ...texts.csvTitles], ...lines].map((cells) => csvLine(cells)).join('')
  );
}

import { type CostGroup, type CostRow, costGroups, getCosts } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatUtcDay } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { oneOf, useSearchState } from '../../lib/hooks/use-search-state.ts';
import { personPath } from '../../lib/paths.ts';
import { saveFile } from '../../lib/save-file.ts';
import * as texts from '../../texts/operator/costs.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { Segments } from '../../ui/form/segments.tsx';
import { Loading } from '../../ui/loading.tsx';
import { costOf, costsAsCsv, marginOf, sumOf } from './cost-figures.ts';
import styles from './costs-section.module.css';

const periods = [7, 30, 90, 366] as const;
const usualDays = 30;
const state = {
  by: oneOf(costGroups, 'day'),
  days: (text: string | null): number => periods.find((days) => String(days) === text) ?? usualDays,
};

/** Costs and revenue of the models. */
export function CostsSection() {
  const [{ by, days }, show] = useSearchState(state);
  const query = useQuery(queryOf(getCosts, { by, days }));
  return (
    <section className="card stack" aria-labelledby="costs-title" aria-busy={query.isFetching}>
      <h2 id="costs-title">{texts.costs}</h2>
      <p className="muted">{texts.note}</p>
      <div className={`row ${styles.settings}`}>
        <Segments
          label={texts.groupBy}
          choices={texts.groups}
          chosen={by}
          onChoose={(by) => show({ by })}
        />
        <ChoiceField
          label={texts.period}
          name="days"
          value={days}
          onChange={({ target }) => show({ days: Number(target.value) })}
          choices={periods.map((days) => [String(days), texts.lastDays(days)] as const)}
        />
        {query.data && query.data.rows.length > 0 && (
          <Button
            variant="secondary"
            onClick={() => saveFile(texts.fileName(by), asFile(query.data, by))}
          >
            <Download aria-hidden size={18} />
            {texts.saveCsv}
          </Button>
        )}
      </div>
      <Loading query={query}>
        {({ rows, currency }) =>
          rows.length === 0 ? (
            <p>{texts.nothing}</p>
          ) : (
            <Costs rows={rows} currency={currency} by={by} />
          )
        }
      </Loading>
    </section>
  );
}

const amounts = Object.keys(texts.columns) as (keyof typeof texts.columns)[];

interface Props {
  rows: readonly CostRow[];
  currency: string;
  by: CostGroup;
}

function Costs({ rows, currency, by }: Props) {
  const sizeOf = measureOf(rows);
  const highest = Math.max(1e-9, ...rows.map(sizeOf));
  const total = sumOf(rows);
  const hasBars = rows.length > 1 && rows.some((row) => sizeOf(row) > 0);
  const money = (minor: number | null, bounded?: (amount: string) => string) => {
    if (minor === null) return texts.unknown;
    const amount = formatMoney(wholeMinor(minor), currency);
    if (bounded) return bounded(amount);
    // A cheap model is not free.
    const isSmall = minor > 0 && wholeMinor(minor) === 0;
    return isSmall ? texts.under(formatMoney(1, currency)) : amount;
  };
  return (
    <>
      <DataTable
        label={texts.tableOfCosts}
        columns={{ label: texts.groups[by], ...texts.columns }}
        amounts={amounts}
        rows={[...rows, total]}
        keyOf={({ key }) => key}
        cells={(row) => ({
          label: (
            <div className={styles.name}>
              <strong className="long">
                {row.key === '' || row.key === 'others' ? row.label : nameOf(row, by)}
              </strong>
              {hasBars && row.key !== '' && sizeOf(row) > 0 && (
                <span
                  className={styles.bar}
                  style={{ width: `${(sizeOf(row) / highest) * 100}%` }}
                />
              )}
            </div>
          ),
          answers: formatNumber(row.answers),
          submissions: formatNumber(row.submissions),
          tokensIn: formatNumber(row.tokens.input),
          tokensOut: formatNumber(row.tokens.output),
          cost: money(costOf(row), row.unknown_costs ? texts.atLeast : undefined),
          revenue: money(row.revenue_minor),
          margin: (
            <span className={wholeMinor(marginOf(row) ?? 0) < 0 ? styles.loss : undefined}>
              {money(marginOf(row), row.unknown_costs ? texts.atMost : undefined)}
            </span>
          ),
        })}
      />
      {total.revenue_minor === null && <p className="muted">{texts.unknownRevenue(currency)}</p>}
      {hasBars && (
        <p className="muted">{rows.some(isUnknown) ? texts.tokenBars : texts.costBars}</p>
      )}
      {total.unknown_costs > 0 && (
        <p className="muted">
          {texts.unknownCosts(total.unknown_costs, formatNumber(total.unknown_costs))}
        </p>
      )}
    </>
  );
}

function nameOf({ key, label }: CostRow, by: CostGroup): ReactNode {
  if (by === 'day') return formatUtcDay(label);
  return by === 'client' ? <Link to={personPath(key)}>{label}</Link> : label;
}

/** What the bars compare: costs, or tokens while a row has no known cost. */
function measureOf(rows: readonly CostRow[]): (row: CostRow) => number {
  return rows.some(isUnknown)
    ? ({ tokens }) => tokens.input + tokens.output
    : ({ cost_minor }) => cost_minor;
}

const isUnknown = (row: CostRow) => costOf(row) === null;

/** Never minus zero, which would be shown with its sign. */
function wholeMinor(minor: number): number {
  return Math.round(minor) || 0;
}

function asFile({ rows, currency }: Omit<Props, 'by'>, by: CostGroup): Blob {
  return new Blob([costsAsCsv(rows, { by, currency })], { type: 'text/csv;charset=utf-8' });
}

import { type CostGroup, type CostRow, costGroups, getCosts } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../lib/api/query.ts';
import { formatMoney, formatNumber, formatUtcDay } from '../../lib/format.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import { saveFile } from '../../lib/save-file.ts';
import * as texts from '../../texts/operator/costs.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { Segments } from '../../ui/form/segments.tsx';
import { Loading } from '../../ui/loading.tsx';
import { costsAsCsv, marginOf, sumOf } from './cost-figures.ts';
import styles from './costs-section.module.css';

const periods = [7, 30, 90, 366] as const;
const usualDays = 30;
const state = {
  by: (text: string | null): CostGroup => costGroups.find((group) => group === text) ?? 'day',
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
            onClick={() => saveFile(texts.fileName(by), asFile(query.data.rows, by))}
          >
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

interface Props {
  rows: readonly CostRow[];
  currency: string;
  by: CostGroup;
}

function Costs({ rows, currency, by }: Props) {
  const columns = [texts.answers, texts.submissions, texts.tokensIn, texts.tokensOut];
  const amounts = [texts.cost, texts.revenue, texts.margin];
  const sizeOf = measureOf(rows);
  const highest = Math.max(1e-9, ...rows.map(sizeOf));
  const money = (minor: number | null) =>
    minor === null ? texts.unknown : formatMoney(Math.round(minor), currency);
  return (
    <>
      <DataTable
        label={texts.tableOfCosts}
        columns={[texts.groups[by], ...columns, ...amounts]}
        amounts={[...columns, ...amounts]}
      >
        {[...rows, sumOf(rows)].map((row) => (
          <tr key={row.key}>
            <td>
              <strong className="long">
                {by === 'day' && row.key !== '' ? formatUtcDay(row.label) : row.label}
              </strong>
              {row.key !== '' && sizeOf(row) > 0 && (
                <span
                  className={styles.bar}
                  style={{ width: `${(sizeOf(row) / highest) * 100}%` }}
                />
              )}
            </td>
            {[
              [texts.answers, formatNumber(row.answers)],
              [texts.submissions, formatNumber(row.submissions)],
              [texts.tokensIn, formatNumber(row.tokens.input)],
              [texts.tokensOut, formatNumber(row.tokens.output)],
              [texts.cost, money(row.cost_minor)],
              [texts.revenue, money(row.revenue_minor)],
              [texts.margin, money(marginOf(row))],
            ].map(([title, value]) => (
              <td key={title} className="amount" data-label={title}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
      {rows.some(({ cost_minor }) => cost_minor === null) && (
        <p className="muted">{texts.unknownCosts}</p>
      )}
    </>
  );
}

/** What the bars compare: costs, or tokens while a cost is unknown. */
function measureOf(rows: readonly CostRow[]): (row: CostRow) => number {
  return rows.some(({ cost_minor }) => cost_minor === null)
    ? ({ tokens }) => tokens.input + tokens.output
    : ({ cost_minor }) => cost_minor ?? 0;
}

function asFile(rows: readonly CostRow[], by: CostGroup): Blob {
  return new Blob([costsAsCsv(rows, by)], { type: 'text/csv;charset=utf-8' });
}

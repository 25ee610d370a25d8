import type { CataloguePack, CataloguePlan } from '@rowmill/contract';
import { type ReactNode, useId } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';

interface Row {
  id: string;
  name: string;
  marks: readonly string[];
  cells: readonly string[];
}

type OnEdit = (id: string | null) => void;

const comparedRows = 100;
const packTitles = [texts.price, texts.submissions, texts.rowsCost(comparedRows)];
const planTitles = [texts.price, texts.runsFor, texts.submissions, texts.holders];
const amounts = [...packTitles, texts.holders];

export function PacksSection({
  packs,
  onEdit,
}: {
  packs: readonly CataloguePack[];
  onEdit: OnEdit;
}) {
  const rows = packs.map(({ id, name, count, rate_minor, currency, is_sold }) => ({
    id,
    name,
    marks: is_sold ? [] : [texts.withdrawn],
    cells: [
      formatMoney(rate_minor, currency),
      formatNumber(count),
      formatMoney(Math.round((rate_minor * comparedRows) / count), currency),
    ],
  }));
  return (
    <ItemsSection
      title={texts.packs}
      addLabel={texts.addPack}
      label={texts.tableOfPacks}
      titles={packTitles}
      rows={rows}
      onEdit={onEdit}
    >
      {packs.every(({ is_sold }) => !is_sold) && <p role="status">{texts.noPackSold}</p>}
    </ItemsSection>
  );
}

export function PlansSection({
  plans,
  onEdit,
}: {
  plans: readonly CataloguePlan[];
  onEdit: OnEdit;
}) {
  const rows = plans.map(({ id, name, price_minor, currency, period_days, ...plan }) => ({
    id,
    name,
    marks: [
      ...(plan.is_sold ? [] : [texts.withdrawn]),
      ...(plan.highlighted ? [texts.highlighted] : []),
    ],
    cells: [
      price_minor === 0 ? texts.free : formatMoney(price_minor, currency),
      period_days === null
        ? texts.noEnd
        : texts.days({ days: formatNumber(period_days), isOne: period_days === 1 }),
      formatNumber(plan.submissions),
      formatNumber(plan.holders),
    ],
  }));
  return (
    <ItemsSection
      title={texts.plans}
      addLabel={texts.addPlan}
      label={texts.tableOfPlans}
      titles={planTitles}
      rows={rows}
      onEdit={onEdit}
    />
  );
}

interface Props {
  title: string;
  addLabel: string;
  label: string;
  /** Columns between the name and the actions. */
  titles: readonly string[];
  rows: readonly Row[];
  /** Null adds an item. */
  onEdit: OnEdit;
  children?: ReactNode;
}

/** All plans or packs, on sale or withdrawn. */
function ItemsSection({ title, addLabel, label, titles, rows, onEdit, children }: Props) {
  const canEdit = useCan('editCatalogue');
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="spread">
        <h2 id={id}>{title}</h2>
        {canEdit && (
          <Button variant="secondary" aria-haspopup="dialog" onClick={() => onEdit(null)}>
            {addLabel}
          </Button>
        )}
      </div>
      {children}
      {rows.length > 0 && (
        <DataTable label={label} columns={[texts.name, ...titles, texts.actions]} amounts={amounts}>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <strong>{row.name}</strong>
                {row.marks.map((mark) => (
                  <span key={mark}>
                    {' '}
                    <span className="badge">{mark}</span>
                  </span>
                ))}
              </td>
              {row.cells.map((cell, index) => (
                <td
                  key={titles[index]}
                  className={amounts.includes(titles[index] ?? '') ? 'amount' : undefined}
                  data-label={titles[index]}
                >
                  {cell}
                </td>
              ))}
              <td>
                {canEdit && (
                  <Button
                    variant="secondary"
                    aria-label={texts.editItem(row.name)}
                    aria-haspopup="dialog"
                    onClick={() => onEdit(row.id)}
                  >
                    {texts.edit}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

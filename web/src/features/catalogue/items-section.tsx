import type { CataloguePack, CataloguePlan } from '@rowmill/contract';
import { type ReactNode, useId } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { useCan } from '../../lib/hooks/use-can.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type TableProps } from '../../ui/data-table.tsx';

const compared = 100;

interface PacksProps {
  packs: readonly CataloguePack[];
  onEdit: (pack: CataloguePack | null) => void;
}

export function PacksSection({ packs, onEdit }: PacksProps) {
  return (
    <ItemsSection
      title={texts.packs}
      addLabel={texts.addPack}
      label={texts.tableOfPacks}
      columns={{
        name: texts.name,
        price: texts.price,
        submissions: texts.submissions,
        compared: texts.priceOf(compared),
      }}
      amounts={['price', 'submissions', 'compared']}
      rows={packs}
      cells={(pack) => ({
        name: <ItemName name={pack.name} marks={pack.is_sold ? [] : [texts.withdrawn]} />,
        price: formatMoney(pack.rate_minor, pack.currency),
        submissions: formatNumber(pack.count),
        compared: formatMoney(Math.round((pack.rate_minor * compared) / pack.count), pack.currency),
      })}
      onEdit={onEdit}
    >
      {packs.every(({ is_sold }) => !is_sold) && <p role="status">{texts.noPackSold}</p>}
    </ItemsSection>
  );
}

interface PlansProps {
  plans: readonly CataloguePlan[];
  onEdit: (plan: CataloguePlan | null) => void;
}

export function PlansSection({ plans, onEdit }: PlansProps) {
  return (
    <ItemsSection
      title={texts.plans}
      addLabel={texts.addPlan}
      label={texts.tableOfPlans}
      columns={{
        name: texts.name,
        price: texts.price,
        runsFor: texts.runsFor,
        submissions: texts.submissions,
        holders: texts.holders,
      }}
      amounts={['price', 'submissions', 'holders']}
      rows={plans}
      cells={({ name, price_minor, currency, period_days, ...plan }) => ({
        name: (
          <ItemName
            name={name}
            marks={[
              ...(plan.is_sold ? [] : [texts.withdrawn]),
              ...(plan.highlighted ? [texts.highlighted] : []),
            ]}
          />
        ),
        price: price_minor === 0 ? texts.free : formatMoney(price_minor, currency),
        runsFor:
          period_days === null
            ? texts.noEnd
            : texts.days({ days: formatNumber(period_days), isOne: period_days === 1 }),
        submissions: formatNumber(plan.submissions),
        holders: formatNumber(plan.holders),
      })}
      onEdit={onEdit}
    />
  );
}

function ItemName({ name, marks }: { name: string; marks: readonly string[] }) {
  return (
    <>
      <strong>{name}</strong>
      {marks.map((mark) => (
        <span key={mark}>
          {' '}
          <span className="badge">{mark}</span>
        </span>
      ))}
    </>
  );
}

type Table<T, Column extends string> = Omit<TableProps<T, Column>, 'keyOf' | 'actions'>;

interface Props<T, Column extends string> extends Table<T, Column> {
  title: string;
  addLabel: string;
  /** Null adds an item. */
  onEdit: (item: T | null) => void;
  children?: ReactNode;
}

/** All plans or packs, on sale or withdrawn. */
function ItemsSection<T extends { id: string; name: string }, Column extends string>({
  title,
  addLabel,
  onEdit,
  children,
  ...table
}: Props<T, Column>) {
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
      {table.rows.length > 0 && (
        <DataTable
          {...table}
          keyOf={({ id }) => id}
          actions={(item) =>
            canEdit && (
              <Button
                variant="secondary"
                aria-label={texts.editItem(item.name)}
                aria-haspopup="dialog"
                onClick={() => onEdit(item)}
              >
                {texts.edit}
              </Button>
            )
          }
        />
      )}
    </section>
  );
}

import { splitAnswer } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { type Row, type RowView, rowsPerPage, rowsQuery } from '../api.ts';
import { RowState } from './row-state.tsx';

interface RowDialogProps {
  view: RowView;
  index: number;
  total: number;
  columns: readonly string[];
  outputs: readonly string[];
  onIndex: (index: number) => void;
  onClose: () => void;
}

/** One row in full, with a way to its neighbours. */
export function RowDialog({
  view,
  index,
  total,
  columns,
  outputs,
  onIndex,
  onClose,
}: RowDialogProps) {
  const query = useQuery(rowsQuery(view, Math.floor(index / rowsPerPage)));
  const row = useHeldRow(index, query.data?.rows[index % rowsPerPage]);
  return (
    <Dialog
      title={row ? texts.rowNumber(formatNumber(row.row + 1)) : texts.row}
      className="rows-dialog"
      onClose={onClose}
    >
      {row ? (
        <RowInFull row={row} columns={columns} outputs={outputs} />
      ) : (
        <Loading query={query}>{() => <p>{texts.rowNoLongerListed}</p>}</Loading>
      )}
      <form method="dialog" className="row">
        <Button variant="secondary" disabled={index <= 0} onClick={() => onIndex(index - 1)}>
          {texts.previousRow}
        </Button>
        <Button
          variant="secondary"
          disabled={index >= total - 1}
          onClick={() => onIndex(index + 1)}
        >
          {texts.nextRow}
        </Button>
        <Button type="submit">{texts.close}</Button>
      </form>
    </Dialog>
  );
}

/** While a batch runs, rows leave a filtered list and others take their places; the one that is being read stays. */
function useHeldRow(index: number, found: Row | undefined): Row | undefined {
  const [held, setHeld] = useState<{ index: number; row: Row } | null>(null);
  const isOther = held?.index !== index;
  if (found && held?.row !== found && (isOther || held?.row.row === found.row))
    setHeld({ index, row: found });
  return isOther ? found : held.row;
}

interface RowInFullProps {
  row: Row;
  columns: readonly string[];
  outputs: readonly string[];
}

/** What the sheet holds in this row, what was asked, and what came of it. */
export function RowInFull({ row, columns, outputs }: RowInFullProps) {
  const values = row.answer === null ? null : splitAnswer(row.answer, outputs);
  return (
    <div className="stack">
      <RowState state={row.state} />
      {row.problem && <p className="notice error">{row.problem}</p>}
      {values && (
        <Fields
          title={texts.answer}
          fields={outputs.map((name, index) => ({ name, value: values[index] ?? '' }))}
        />
      )}
      {row.answer !== null && !values && <Text title={texts.answer} text={row.answer} />}
      <Text title={texts.prompt} text={row.prompt} />
      <Fields
        title={texts.cells}
        fields={row.cells.map((value, index) => ({
          name: columns[index] ?? texts.columnNumber(index + 1),
          value,
        }))}
      />
    </div>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <div className="stack">
      <h3 className="batch-label">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="batch-text" tabIndex={0} aria-label={title}>
        {text}
      </section>
    </div>
  );
}

function Fields({
  title,
  fields,
}: {
  title: string;
  fields: readonly { name: string; value: string }[];
}) {
  return (
    <div className="stack">
      <h3 className="batch-label">{title}</h3>
      <dl className="batch-facts">
        {fields.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order and may share a name
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value || <span className="muted">{texts.empty}</span>}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

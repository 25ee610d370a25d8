import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { type Row, type RowView, rowsPerPage, rowsQuery } from '../api.ts';
import { RowInFull } from './row-in-full.tsx';

interface Props {
  view: RowView;
  index: number;
  total: number;
  columns: readonly string[];
  outputs: readonly string[];
  onIndex: (index: number) => void;
  onClose: () => void;
}

/** One row in full, with a way to its neighbours. */
export function RowDialog({ view, index, total, columns, outputs, onIndex, onClose }: Props) {
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
        <Loading query={query}>{() => <p>{texts.rowLeft}</p>}</Loading>
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

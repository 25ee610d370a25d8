import { maximumListedRows, type RowSearch, type RowsAgain } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/batches/batch.ts';
import { Button } from '../../../ui/button.tsx';
import type { RowRange } from '../../../ui/grid/grid-cells.ts';
import type { GridColumn } from '../../../ui/grid/grid-layout.ts';
import { fetchRows, type Row, type RowView } from '../api.ts';
import styles from './batch-rows.module.css';

/** Some rows by their numbers from 0, or all that a search finds without these. */
export interface RowChoice {
  rows: readonly number[];
  found: { search: RowSearch; count: number } | null;
}

export const noRows: RowChoice = { rows: [], found: null };
export const countOf = ({ rows, found }: RowChoice) =>
  found ? found.count - rows.length : rows.length;

/** The choice as a new batch takes it. */
export const runnable = ({ rows, found }: RowChoice): RowsAgain =>
  found ? { ...found.search, except: [...rows] } : [...rows];

/** A checkbox for each row. With Shift it covers a range. Space toggles rows from any cell. */
export function selectColumn(
  choice: RowChoice,
  { found, onSelected }: Pick<BarProps, 'found' | 'onSelected'>,
): GridColumn<Row> {
  const listed = new Set(choice.rows);
  const isChosen = (row: number) => listed.has(row) === (choice.found === null);
  return {
    id: 'select',
    label: texts.select,
    width: 44,
    pin: 'start',
    isFixed: true,
    text: ({ row }) => (isChosen(row) ? '1' : ''),
    head: ({ tabIndex }) => (
      <input
        type="checkbox"
        className={styles.check}
        data-cell-control
        tabIndex={tabIndex}
        checked={choice.found !== null && listed.size === 0}
        disabled={found === null}
        ref={(box) => {
          if (box) box.indeterminate = listed.size > 0;
        }}
        onChange={({ target }) => onSelected(target.checked ? { rows: [], found } : noRows)}
        aria-label={texts.selectFound(found?.count ?? 0, formatNumber(found?.count ?? 0))}
      />
    ),
    control: ({ row, tabIndex }) => (
      <span className={styles.tick} data-toggle>
        <input
          type="checkbox"
          className={styles.check}
          data-cell-control
          tabIndex={tabIndex}
          checked={isChosen(row.row)}
          readOnly
          aria-label={texts.selectRow(formatNumber(row.row + 1))}
        />
      </span>
    ),
  };
}

type Select = (choice: RowChoice) => void;

interface BarProps {
  selected: RowChoice;
  /** All rows that are listed; null while they are loading. */
  found: RowChoice['found'];
  /** Offers to select all before any row is selected: cards have no column head to do so. */
  offersFound?: boolean;
  onSelected: Select;
  /** Missing while the batch runs. */
  onRunAgain?: (rows: RowsAgain, count: number) => void;
}

/** Below the grid, so that nothing moves when it appears. */
export function SelectionBar({ selected, found, offersFound, onSelected, onRunAgain }: BarProps) {
  const count = countOf(selected);
  if (count === 0 && !(offersFound && found && found.count > 0)) return null;
  return (
    <div className={styles.selection}>
      <span role="status">{count > 0 && texts.rowsSelected(formatNumber(count))}</span>
      {count > 0 && onRunAgain && (
        <Button variant="secondary" onClick={() => onRunAgain(runnable(selected), count)}>
          {texts.runTheseAgain}
        </Button>
      )}
      {found && found.count > count && (
        <Button variant="ghost" onClick={() => onSelected({ rows: [], found })}>
          {texts.selectFound(found.count, formatNumber(found.count))}
        </Button>
      )}
      {count > 0 && (
        <Button variant="ghost" onClick={() => onSelected(noRows)}>
          {texts.clearSelectedRows}
        </Button>
      )}
    </div>
  );
}

interface Selection {
  view: RowView;
  rowAt: (index: number) => Row | undefined;
  selected: RowChoice;
  onSelected: Select;
}

/**
 * Toggles a row or a range: a range with a row that is not chosen is chosen. With Shift all rows
 * from the last one are. Some of them may not be loaded.
 */
export function useRowSelection({ view, rowAt, selected, onSelected }: Selection) {
  const last = useRef<number | null>(null);
  const choose = (rows: readonly Row[], isExtending: boolean) => {
    const listed = new Set(selected.rows);
    // The list says which rows are chosen, or which of all that were found are not.
    const listsChosen = selected.found === null;
    const areChosen = rows.every(({ row }) => listed.has(row) === listsChosen);
    const isChoosing = isExtending || !areChosen;
    for (const { row } of rows) isChoosing === listsChosen ? listed.add(row) : listed.delete(row);
    if (listed.size > maximumListedRows) refuseMore();
    else onSelected({ ...selected, rows: [...listed] });
  };
  const { mutate: chooseRange } = useMutation({
    mutationFn: ({ from, to }: RowRange & { isExtending: boolean }) =>
      fetchRows(view, Math.min(from, to), Math.max(from, to)),
    onSuccess: (rows, { isExtending }) => choose(rows, isExtending),
  });
  return (range: RowRange, isExtending: boolean) => {
    const { to } = range;
    const from = isExtending ? (last.current ?? range.from) : range.from;
    const row = rowAt(to);
    if (Math.abs(to - from) >= maximumListedRows) {
      refuseMore();
      return;
    }
    last.current = to;
    if (from !== to) chooseRange({ from, to, isExtending });
    else if (row) choose([row], isExtending);
  };
}

const refuseMore = () => showToast('error', texts.tooManyToSelect(formatNumber(maximumListedRows)));

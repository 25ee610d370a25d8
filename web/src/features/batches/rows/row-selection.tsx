import { useCallback, useRef } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import type { GridColumn } from '../../../ui/grid/grid-layout.ts';
import type { Row } from '../api.ts';
import styles from './batch-rows.module.css';

/** A checkbox for each row. With Shift it also covers the rows since the last one; Space toggles it from any cell. */
export function selectColumn(selected: readonly number[]): GridColumn<Row> {
  const chosen = new Set(selected);
  return {
    id: 'select',
    label: texts.select,
    width: 44,
    pin: 'start',
    isFixed: true,
    text: ({ row }) => (chosen.has(row) ? '1' : ''),
    cell: ({ row, tabIndex }) => (
      <input
        type="checkbox"
        className={styles.check}
        data-cell-control
        data-toggle
        tabIndex={tabIndex}
        checked={chosen.has(row.row)}
        readOnly
        aria-label={texts.selectRow(formatNumber(row.row + 1))}
      />
    ),
  };
}

/** As many as a batch takes as a list. */
const maximumSelected = 10_000;

interface Selection {
  rowAt: (index: number) => Row | undefined;
  selected: readonly number[];
  onSelected: (rows: readonly number[]) => void;
}

export function useRowSelection({ rowAt, selected, onSelected }: Selection) {
  const last = useRef<number | null>(null);
  return useCallback(
    (index: number, isRange: boolean) => {
      const row = rowAt(index)?.row;
      if (row === undefined) return;
      const from = isRange && last.current !== null ? last.current : index;
      const indices = Array.from(
        { length: Math.abs(index - from) + 1 },
        (_, step) => Math.min(index, from) + step,
      );
      const rows = indices.flatMap((at) => rowAt(at)?.row ?? []);
      const chosen = new Set(selected);
      const isOn = isRange || !chosen.has(row);
      for (const one of rows) isOn ? chosen.add(one) : chosen.delete(one);
      last.current = index;
      if (chosen.size <= maximumSelected) onSelected([...chosen]);
    },
    [rowAt, selected, onSelected],
  );
}

import type { ReactNode } from 'react';
import { formatShortTime, formatTime } from '../lib/format.ts';
import * as texts from '../texts/ui.ts';
import styles from './data-table.module.css';
import { ScrollRegion } from './scroll-region.tsx';
import { TableHead } from './table-head.tsx';

export interface TableProps<T, Column extends string> {
  /** Names the region that scrolls where the table is too wide. */
  label: string;
  /** The titles. The first column names its row. */
  columns: Readonly<Record<Column, string>>;
  /** The columns whose values are numbers. */
  amounts?: readonly NoInfer<Column>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** Null where there is nothing to show: a dash in a column, and no line in a card. */
  cells: (row: T) => Record<Column, ReactNode>;
  /** The buttons of a row. */
  actions?: (row: T) => ReactNode;
}

/** A table whose rows become blocks on a narrow screen, with `data-label` beside each value. */
export function DataTable<T, Column extends string>(props: TableProps<T, Column>) {
  const { label, columns, amounts = [], rows, keyOf, cells, actions } = props;
  const [first, ...others] = Object.keys(columns) as [Column, ...Column[]];
  const titles = Object.values<string>(columns);
  return (
    <ScrollRegion label={label} className={`scrolls ${styles.region}`}>
      <table className={styles.table}>
        <TableHead
          columns={actions ? [...titles, texts.actions] : titles}
          amounts={amounts.map((column) => columns[column])}
        />
        <tbody>
          {rows.map((row) => {
            const values = cells(row);
            return (
              <tr key={keyOf(row)}>
                <th scope="row">{values[first]}</th>
                {others.map((column) => (
                  <td
                    key={column}
                    className={amounts.includes(column) ? 'amount' : undefined}
                    data-label={columns[column]}
                    data-empty={values[column] === null || undefined}
                  >
                    {values[column] ?? '–'}
                  </td>
                ))}
                {actions && <td>{actions(row)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** A time in a narrow cell; in full when it is pointed at. */
export function ShortTime({ instant }: { instant: string }) {
  return (
    <time dateTime={instant} title={formatTime(instant)}>
      {formatShortTime(instant)}
    </time>
  );
}

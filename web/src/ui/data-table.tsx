import type { ReactNode } from 'react';
import { formatShortTime, formatTime } from '../lib/format.ts';
import styles from './data-table.module.css';
import { ScrollRegion } from './scroll-region.tsx';
import { TableHead } from './table-head.tsx';

interface Props {
  /** Names the region that scrolls where the table is too wide. */
  label: string;
  columns: readonly string[];
  /** The columns whose values are numbers. */
  amounts?: readonly string[];
  children: ReactNode;
}

/** A table whose rows become blocks on a narrow screen, with `data-label` beside each value. */
export function DataTable({ label, columns, amounts, children }: Props) {
  return (
    <ScrollRegion label={label} className={`scrolls ${styles.region}`}>
      <table className={styles.table}>
        <TableHead columns={columns} amounts={amounts} />
        <tbody>{children}</tbody>
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

import { memo, type ReactNode } from 'react';
import styles from './data-grid.module.css';
import type { PlacedColumn } from './grid-layout.ts';

export const cellId = (grid: string, row: number, column: number) => `${grid}-${row}-${column}`;

interface Props<R> {
  grid: string;
  index: number;
  top: number;
  /** Undefined while it is loading. */
  row: R | undefined;
  /** The width of the row, in pixels. */
  width: number;
  columns: readonly PlacedColumn<R>[];
  /** The column with the focus, if it is in this row. */
  active: number | null;
  /** The selected columns, if the range includes this row. */
  from: number | null;
  to: number | null;
  isCurrent: boolean;
}

export const GridRow = memo(function GridRow<R>(props: Props<R>) {
  const { grid, index, top, row, width, active, from, to, isCurrent } = props;
  return (
    <tr
      className={styles.row}
      style={{ translate: `0 ${top}px`, width }}
      aria-rowindex={index + 2}
      aria-busy={row === undefined}
      data-current={isCurrent || undefined}
    >
      <PlacedCells columns={props.columns}>
        {(column, style) => (
          <td
            key={column.id}
            id={cellId(grid, index, column.position)}
            data-row={index}
            data-column={column.position}
            aria-colindex={column.position + 1}
            className={classOf(column)}
            data-in-range={
              (from !== null && to !== null && from <= column.position && column.position <= to) ||
              undefined
            }
            tabIndex={active === column.position && !column.control ? 0 : -1}
            style={style}
          >
            {row === undefined ? (
              <span className={styles.loading} />
            ) : column.isAwaited?.(row) && column.text(row) === '' ? (
              <span className={`${styles.loading} ${styles.awaited}`} />
            ) : (
              (column.control?.({ row, index, tabIndex: active === column.position ? 0 : -1 }) ??
              column.shown?.(row) ?? (
                <span className={styles.text} data-tone={column.tone?.(row)} dir="auto">
                  {shorten(column.text(row))}
                </span>
              ))
            )}
          </td>
        )}
      </PlacedCells>
    </tr>
  );
}) as <R>(props: Props<R>) => ReactNode;

interface PlacedProps<R> {
  columns: readonly PlacedColumn<R>[];
  children: (column: PlacedColumn<R>, style: React.CSSProperties) => ReactNode;
}

/** One list, so that a cell keeps the focus when its column changes between pinned and not. */
export function PlacedCells<R>({ columns, children }: PlacedProps<R>) {
  return columns.map((column) => children(column, placeOf(column)));
}

/** Pinned columns stick to their edge; others are placed, so unseen ones are not rendered. */
function placeOf({ pin, width, offset }: PlacedColumn<never>): React.CSSProperties {
  if (pin === 'start') return { width, left: offset };
  // It slides under those at the start when columns after it come into view.
  if (pin === 'end') return { width, right: offset, order: 2, zIndex: 1 };
  return { position: 'absolute', width, left: offset };
}

export function classOf({ pin, isNumeric, isAnswer }: PlacedColumn<never>): string {
  return [styles.cell, pin && styles.pinned, isNumeric && styles.numeric, isAnswer && styles.answer]
    .filter(Boolean)
    .join(' ');
}

/** A cell shows less than this, and megabytes of hidden text would slow the page down. */
function shorten(text: string): string {
  return text.slice(0, 300);
}

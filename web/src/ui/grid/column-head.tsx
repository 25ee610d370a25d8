import { ArrowDown, ArrowUp, ListFilter } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef } from 'react';
import * as texts from '../../texts/ui.ts';
import styles from './data-grid.module.css';
import type { PlacedColumn } from './grid-layout.ts';

interface Props {
  id: string;
  column: Pick<PlacedColumn<never>, 'id' | 'label' | 'width' | 'position' | 'head' | 'isFixed'>;
  className: string;
  style: CSSProperties;
  isActive: boolean;
  onFocus: () => void;
  onWidth: (width: number) => void;
  sort: string | null;
  onSort: ((column: string) => void) | undefined;
  isFiltered: boolean;
  onFilter: ((column: string, button: HTMLElement) => void) | undefined;
}

const narrowest = 48;
const widest = 1_200;
const step = 16;

/** The head of a column. Its edge is dragged to resize it, or Shift with the arrow keys. */
export function ColumnHead({
  id,
  column,
  className,
  style,
  isActive,
  onFocus,
  onWidth,
  sort,
  onSort,
  isFiltered,
  onFilter,
}: Props) {
  const tabIndex = isActive ? 0 : -1;
  const drag = useRef<{ x: number; width: number } | null>(null);
  const resize = (width: number) =>
    onWidth(Math.min(widest, Math.max(narrowest, Math.round(width))));
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: column.width };
  }
  function onPointerMove({ clientX }: PointerEvent) {
    if (drag.current) resize(drag.current.width + clientX - drag.current.x);
  }
  function onKeyDown({ key, shiftKey }: KeyboardEvent) {
    if (!shiftKey) return;
    if (key === 'ArrowRight') resize(column.width + step);
    if (key === 'ArrowLeft') resize(column.width - step);
  }
  return (
    <th
      id={id}
      scope="col"
      aria-colindex={column.position + 1}
      className={className}
      style={style}
      tabIndex={isActive && !onSort && !column.head ? 0 : -1}
      aria-sort={sort === 'ascending' || sort === 'descending' ? sort : undefined}
      title={column.label}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      {onSort ? (
        <button
          type="button"
          className={styles.sort}
          data-cell-control
          tabIndex={tabIndex}
          onClick={() => onSort(column.id)}
        >
          <span className={styles.label}>{column.label}</span>
          {sort === 'ascending' && <ArrowUp aria-hidden size={14} />}
          {sort === 'descending' && <ArrowDown aria-hidden size={14} />}
        </button>
      ) : (
        (column.head?.({ tabIndex }) ?? (
          <span className={column.isFixed ? 'sr-only' : styles.label}>{column.label}</span>
        ))
      )}
      {onFilter && (
        <button
          type="button"
          className={styles.filter}
          tabIndex={tabIndex}
          aria-label={texts.actionOn({ action: texts.filterColumn, entry: column.label })}
          aria-haspopup="dialog"
          data-on={isFiltered || undefined}
          onClick={({ currentTarget }) => onFilter(column.id, currentTarget)}
        >
          <ListFilter aria-hidden size={14} />
        </button>
      )}
      <span
        className={styles.edge}
        title={texts.resizeColumn}
        aria-hidden
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          drag.current = null;
        }}
      />
    </th>
  );
}

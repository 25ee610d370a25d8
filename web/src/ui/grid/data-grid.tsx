import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { ColumnHead } from './column-head.tsx';
import styles from './data-grid.module.css';
import {
  allCells,
  type Cell,
  type CellRange,
  cellAfterKey,
  type RowRange,
  rangeBetween,
} from './grid-cells.ts';
import {
  type GridColumn,
  type GridLayout,
  useLayout,
  useScrollShadows,
  useVisibleColumns,
  useWidth,
} from './grid-layout.ts';
import { cellId, classOf, GridRow, PlacedCells } from './grid-row.tsx';
import { type Reach, useVisibleRows } from './grid-rows.ts';
import { RowSlider } from './row-slider.tsx';

interface Props<R> {
  label: string;
  columns: readonly GridColumn<R>[];
  total: number;
  rowAt: (index: number) => R | undefined;
  /** In pixels, for text of 16 pixels. */
  rowHeight: number;
  isWrapped?: boolean;
  /** The heads are only read out, as over cards. */
  hasHiddenHead?: boolean;
  /** The cell that Tab reaches and the keys move from. */
  active: Cell;
  onActive: (cell: Cell) => void;
  /** The row that is open beside the grid. */
  current?: number | null;
  /** A click or Enter on a row. */
  onOpen?: (index: number) => void;
  /** Space, or a press on a checkbox. With Shift it extends to the row toggled before. */
  onToggle?: (rows: RowRange, isExtending: boolean) => void;
  /** The rows in view. */
  onVisible: (first: number, last: number) => void;
  onCopy: (range: CellRange) => void;
  onWidth: (column: string, width: number) => void;
  /** Further keys; true when the key is used. */
  onKey?: (event: KeyboardEvent, cell: Cell) => boolean;
  /** The column that the rows are sorted by. */
  sort?: { column: string; order: string } | null;
  /** A press on the head of a column. */
  onSort?: ((column: string) => void) | undefined;
  /** The columns that the rows are filtered by. */
  filtered?: readonly string[];
  /** A press on the filter of a column. */
  onFilter?: ((column: string, button: HTMLElement) => void) | undefined;
}

const headHeight = 36;

/** A grid of any size: it renders only cells in view. Its keys follow the ARIA grid pattern. */
export function DataGrid<R>(props: Props<R>) {
  const { label, columns, total, rowAt, active } = props;
  const { isWrapped = false, hasHiddenHead = false } = props;
  const { current = null, onActive, onOpen, onToggle, onVisible, onCopy, onWidth, onKey } = props;
  const grid = useId();
  const scroller = useRef<HTMLElement>(null);
  const available = useWidth(scroller);
  const { layout, scale } = useLayout(columns, available);
  const rowHeight = Math.round(props.rowHeight * scale);
  const frame = useScrollShadows(scroller, layout);
  const column = Math.min(active.column, columns.length - 1);
  const cell = { row: Math.min(active.row, total - 1), column };
  const { range, anchor, setAnchor, selectAll } = useRange(cell, total, columns);
  const shown = useVisibleColumns({ scroller, layout, active: column });
  const visible = useVisibleRows({ scroller, total, rowHeight, active: cell.row });
  const { first, last, reach } = visible;
  useEffect(() => onVisible(first, last), [onVisible, first, last]);
  const wasMovedByKey = useRef(false);
  useEffect(() => {
    const focus = () => focusCell(document.getElementById(cellId(grid, cell.row, cell.column)));
    if (wasMovedByKey.current) reach(cell.row, focus);
    wasMovedByKey.current = false;
  }, [grid, cell.row, cell.column, reach]);
  useOpenRowInView(grid, { row: current, cell, reach });
  function moveTo(next: Cell, isRange: boolean) {
    setAnchor(isRange ? (anchor ?? cell) : null);
    wasMovedByKey.current = true;
    onActive(next);
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const page = Math.max(1, last - first - 1);
    const isFar = event.ctrlKey || event.metaKey;
    const letter = event.shiftKey ? null : event.key.toLowerCase();
    const next = cellAfterKey(event.key, {
      cell,
      bounds: { rows: total, columns: columns.length, page },
      isFar,
    });
    const isResizing = cell.row < 0 && event.shiftKey && event.key.startsWith('Arrow');
    if (isFar && letter === 'c' && copiesCells()) onCopy(range ?? { first: cell, last: cell });
    else if (isFar && letter === 'a') selectAll();
    else if (next && !event.altKey && !isResizing) moveTo(next, event.shiftKey && next.row >= 0);
    else if (event.key === 'Escape' && range) setAnchor(null);
    else if (event.key === 'Enter' && cell.row >= 0 && onOpen) onOpen(cell.row);
    else if (event.key === ' ' && cell.row >= 0 && onToggle)
      onToggle({ from: Math.max(0, (anchor ?? cell).row), to: cell.row }, event.shiftKey);
    else if (onKey?.(event, cell)) wasMovedByKey.current = true;
    else return;
    event.preventDefault();
  }

  /** A cell may also get the focus from a screen reader. */
  function onFocus(event: FocusEvent<HTMLElement>) {
    const focused = cellAt(event);
    if (focused && (focused.row !== cell.row || focused.column !== cell.column)) onActive(focused);
  }

  /** With Shift a click selects a range; otherwise it opens the row, unless text was selected. */
  function onMouseDown(event: MouseEvent<HTMLElement>) {
    if (event.shiftKey && cellAt(event)) event.preventDefault();
  }
  function onClick(event: MouseEvent<HTMLElement>) {
    const clicked = cellAt(event);
    if (!clicked || !getSelection()?.isCollapsed) return;
    const isToggle = (event.target as Element).closest('[data-toggle]');
    setAnchor(event.shiftKey && !isToggle ? (anchor ?? cell) : null);
    onActive(clicked);
    if (isToggle) {
      onToggle?.({ from: clicked.row, to: clicked.row }, event.shiftKey);
      return;
    }
    focusCell(document.getElementById(cellId(grid, clicked.row, clicked.column)));
    if (!event.shiftKey) onOpen?.(clicked.row);
  }

  const size = sizeOf(layout, { rowHeight, headHeight: hasHiddenHead ? 0 : headHeight * scale });
  return (
    <div ref={frame} className={styles.frame} style={size}>
      <section ref={scroller} className={styles.scroller} tabIndex={-1}>
        <table
          className={styles.grid}
          style={{ width: layout.width }}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is a grid
          role="grid"
          aria-label={label}
          aria-rowcount={total + 1}
          aria-colcount={columns.length}
          data-wrapped={isWrapped || undefined}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
          onMouseDown={onMouseDown}
          onClick={onClick}
        >
          <thead className={hasHiddenHead ? 'sr-only' : undefined}>
            <tr aria-rowindex={1} style={{ width: layout.width }}>
              <PlacedCells columns={shown}>
                {(placed, style) => (
                  <ColumnHead
                    key={placed.id}
                    id={cellId(grid, -1, placed.position)}
                    column={placed}
                    className={classOf(placed)}
                    style={style}
                    isActive={cell.row < 0 && placed.position === column}
                    onFocus={() => onActive({ row: -1, column: placed.position })}
                    onWidth={(width) => onWidth(placed.id, width)}
                    sort={props.sort?.column === placed.id ? props.sort.order : null}
                    onSort={placed.isFixed ? undefined : props.onSort}
                    isFiltered={props.filtered?.includes(placed.id) ?? false}
                    onFilter={placed.isFixed ? undefined : props.onFilter}
                  />
                )}
              </PlacedCells>
            </tr>
          </thead>
          <tbody style={{ height: visible.height }}>
            {visible.rows.map(({ index, top }) => (
              <GridRow
                key={index}
                grid={grid}
                index={index}
                top={top}
                row={rowAt(index)}
                width={layout.width}
                columns={shown}
                active={index === cell.row ? column : null}
                from={isInRange(range, index) ? (range?.first.column ?? null) : null}
                to={isInRange(range, index) ? (range?.last.column ?? null) : null}
                isCurrent={index === current}
              />
            ))}
          </tbody>
        </table>
      </section>
      <RowSlider scroller={scroller} first={first} last={last} total={total} />
    </div>
  );
}

/** The selected cells: from an anchor to the active cell, or all. */
function useRange<R>(cell: Cell, total: number, columns: readonly GridColumn<R>[]) {
  const [anchor, setAnchor] = useState<Cell | null>(null);
  const [hasAll, setHasAll] = useState(false);
  return {
    range: hasAll ? allCells(total, columns) : anchor && rangeBetween(anchor, cell),
    anchor,
    setAnchor(anchor: Cell | null) {
      setAnchor(anchor);
      setHasAll(false);
    },
    selectAll() {
      // Copying prefers selected text.
      getSelection()?.removeAllRanges();
      setAnchor(null);
      setHasAll(total > 0);
    },
  };
}

/** Scrolling leaves a cell clear of the head and the pinned columns. */
function sizeOf(
  { startWidth, middleWidth, endWidth }: GridLayout<never>,
  { rowHeight, headHeight }: { rowHeight: number; headHeight: number },
): CSSProperties {
  return {
    ['--row-height' as string]: `${rowHeight}px`,
    ['--head-height' as string]: `${headHeight}px`,
    ['--start-width' as string]: `${startWidth}px`,
    ['--middle-width' as string]: `${middleWidth}px`,
    ['--end-width' as string]: `${endWidth}px`,
  };
}

/**
 * An opened row is in view, also when an address or a button beside the grid opened it. Once it is
 * closed, the active cell has the focus, unless something outside of the grid has it.
 */
function useOpenRowInView(
  grid: string,
  { row, cell, reach }: { row: number | null; cell: Cell; reach: Reach },
): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    const cellOf = (row: number) => document.getElementById(cellId(grid, row, cell.column));
    if (row !== null) reach(row, () => scrollTo(cellOf(row)));
    else if (wasOpen.current && isFocusHere(cellOf(cell.row)))
      reach(cell.row, () => focusCell(cellOf(cell.row)));
    wasOpen.current = row !== null;
  }, [grid, row, cell.row, cell.column, reach]);
}

function isFocusHere(cell: HTMLElement | null): boolean {
  const { activeElement, body } = document;
  return activeElement === body || Boolean(cell?.closest('table')?.contains(activeElement));
}

function isInRange(range: CellRange | null, row: number): boolean {
  return range !== null && range.first.row <= row && row <= range.last.row;
}

/** Selected text is copied by the browser. */
function copiesCells(): boolean {
  return getSelection()?.isCollapsed !== false;
}

function cellAt({ target }: SyntheticEvent): Cell | null {
  const { row, column } = (target as Element).closest('td')?.dataset ?? {};
  return row === undefined || column === undefined
    ? null
    : { row: Number(row), column: Number(column) };
}

/** Scrolls the grid and the window until the cell is in view, clear of the pinned columns. */
function focusCell(cell: HTMLElement | null): void {
  const control = cell?.querySelector<HTMLElement>('[data-cell-control]');
  (control ?? cell)?.focus({ preventScroll: true });
  scrollTo(cell);
}

/** A pinned cell that is in view needs no scrolling sideways. */
function scrollTo(cell: HTMLElement | null): void {
  const scroller = cell?.closest(`.${styles.scroller}`);
  if (!cell || !scroller) return;
  const { scrollLeft } = scroller;
  const isPinned = cell.classList.contains(styles.pinned ?? '');
  // Pinned columns at the end move when the columns after them scroll into view.
  const clearUntil = cell.style.right
    ? Number.parseFloat(getComputedStyle(scroller).getPropertyValue('--middle-width'))
    : Number.POSITIVE_INFINITY;
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (isPinned && scrollLeft <= clearUntil) scroller.scrollLeft = scrollLeft;
}

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

export interface ControlProps<R> {
  row: R;
  index: number;
  tabIndex: number;
}

/** How the reason for a missing value looks. */
export type ReasonTone = 'failed' | 'muted';

export interface GridColumn<R> {
  id: string;
  label: string;
  width: number;
  /** Stays in view at the start or end while the others scroll. */
  pin?: 'start' | 'end';
  isNumeric?: boolean;
  /** A person chose its width. */
  isSized?: boolean;
  isAnswer?: boolean;
  /** Whether the text of a row is on its way. */
  isAwaited?: (row: R) => boolean;
  /** Set when its text says why a row has no value, such as what failed. */
  tone?: (row: R) => ReasonTone | undefined;
  /** Rows cannot be sorted or filtered by it. Its label is only read out, unless it has a head. */
  isFixed?: boolean;
  head?: (props: { tabIndex: number }) => ReactNode;
  /** The whole text of its cell, as it is copied. */
  text: (row: R) => string;
  /** What the cell shows instead of its text, or null. */
  shown?: (row: R) => ReactNode;
  /** A control in its place, which takes the focus: an element with `data-cell-control`. */
  control?: (props: ControlProps<R>) => ReactNode;
}

export interface PlacedColumn<R> extends GridColumn<R> {
  /** Its position among all columns, from 0. */
  position: number;
  /** Pixels from the edge that it is pinned to, or from the start of the row. */
  offset: number;
}

export interface GridLayout<R> {
  starts: readonly PlacedColumn<R>[];
  /** The columns that scroll, before and after the columns at the end. */
  middles: readonly PlacedColumn<R>[];
  ends: readonly PlacedColumn<R>[];
  startWidth: number;
  /** The width of the columns that scroll before those at the end. */
  middleWidth: number;
  endWidth: number;
  width: number;
}

/** At most this share of the grid is pinned, or nothing would be left to scroll in. */
const mostPinned = 0.85;
/**
 * Where not all fit, in pixels: what is left to scroll in, on a phone the rest of this share, and
 * what each pinned one needs.
 */
const leastScrolling = 240;
const mostOnPhone = 0.6;
const leastPinned = 150;

export function placeColumns<R>(
  wanted: readonly GridColumn<R>[],
  available: number,
): GridLayout<R> {
  const columns = pinColumns(wanted, available);
  const rest = Math.max(0, Math.floor(available) - widthOf(columns));
  const growing = growingColumn(columns);
  const wide = columns.map((column, position) => ({
    ...column,
    position,
    width: column.width + (column === growing ? rest : 0),
  }));
  const pinnedTo = (to: GridColumn<R>['pin']) => wide.filter(({ pin }) => pin === to);
  const scrolling = pinnedTo(undefined);
  const lastEnd = wide.findLastIndex(({ pin }) => pin === 'end');
  const starts = inARow(pinnedTo('start'), 0);
  const startWidth = widthOf(starts);
  const before = inARow(
    scrolling.filter(({ position }) => position < lastEnd),
    startWidth,
  );
  const middleWidth = widthOf(before);
  const ends = inARow(pinnedTo('end').toReversed(), 0).toReversed();
  const endWidth = widthOf(ends);
  const after = inARow(
    scrolling.filter(({ position }) => position > lastEnd),
    startWidth + middleWidth + endWidth,
  );
  const middles = [...before, ...after];
  const width = startWidth + widthOf(middles) + endWidth;
  return { starts, middles, ends, startWidth, middleWidth, endWidth, width };
}

/** What gets the rest of a wide grid: of the answers the one with most text, or the last column. */
function growingColumn<R>(columns: readonly GridColumn<R>[]): GridColumn<R> | undefined {
  const answers = columns.filter(
    ({ isAnswer, isNumeric, isSized }) => isAnswer && !isNumeric && !isSized,
  );
  const most = Math.max(...answers.map(({ width }) => width));
  return answers.findLast(({ width }) => width === most) ?? columns.at(-1);
}

/** The last column at the start scrolls when none at the end could stay in view beside it. */
function pinColumns<R>(
  columns: readonly GridColumn<R>[],
  available: number,
): readonly GridColumn<R>[] {
  const most = available * mostPinned;
  const pinned = columns.filter(({ pin }) => pin !== undefined);
  if (widthOf(columns) <= available || widthOf(pinned) <= most) return columns;
  const last = columns.findLastIndex(({ pin }) => pin === 'start');
  const isOnly = columns.findIndex(({ pin }) => pin === 'start') === last;
  const free = columns.map((column, index) =>
    index === last && !isOnly ? { ...column, pin: undefined } : column,
  );
  const usual = Math.min(most, Math.max(available - leastScrolling, available * mostOnPhone));
  const startsFit = widthOf(columns.filter(({ pin }) => pin === 'start')) <= most;
  return (
    pinEnds(columns, usual) ??
    pinEnds(free, usual) ??
    pinEnds(free, most) ??
    withoutEnds(startsFit ? columns : free)
  );
}

function withoutEnds<R>(columns: readonly GridColumn<R>[]) {
  return columns.map((column) => (column.pin === 'end' ? { ...column, pin: undefined } : column));
}

/** Pins as many of the last columns as fit, narrower if needed. Null when none fits. */
function pinEnds<R>(columns: readonly GridColumn<R>[], most: number) {
  const room = most - widthOf(columns.filter(({ pin }) => pin === 'start'));
  const ends = columns.filter(({ pin }) => pin === 'end');
  const least = ends.map(({ width }) => ({ width: Math.min(width, leastPinned) }));
  const kept = ends.filter((_, index) => widthOf(least.slice(0, index + 1)) <= room);
  if (kept.length === 0) return null;
  const share = Math.min(1, room / widthOf(kept));
  return columns.map((column) => {
    if (kept.includes(column)) return { ...column, width: Math.floor(column.width * share) };
    return column.pin === 'end' ? { ...column, pin: undefined } : column;
  });
}

function widthOf(columns: readonly { width: number }[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

function inARow<C extends { width: number }>(columns: readonly C[], from: number) {
  let offset = from;
  return columns.map((column) => {
    const placed = { ...column, offset };
    offset += column.width;
    return placed;
  });
}

interface Visible<R> {
  scroller: RefObject<HTMLElement | null>;
  layout: GridLayout<R>;
  /** The position of the column with the focus, which stays rendered. */
  active: number;
}

/** The columns that are rendered, in their order: the pinned ones, and those in view. */
export function useVisibleColumns<R>({ scroller, layout, active }: Visible<R>) {
  const { starts, middles, ends, startWidth, width } = layout;
  const activeMiddle = middles.findIndex(({ position }) => position === active);
  // The columns at the end may lie between two that scroll.
  const startOf = (index: number) => middles[index]?.offset ?? width;
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: middles.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => startOf(index + 1) - startOf(index),
    paddingStart: middles[0]?.offset ?? startWidth,
    overscan: 2,
    rangeExtractor: (range) => {
      const indices = defaultRangeExtractor(range);
      return activeMiddle < 0 || indices.includes(activeMiddle)
        ? indices
        : [...indices, activeMiddle].sort((a, b) => a - b);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other widths need other offsets
  useEffect(() => virtualizer.measure(), [layout, virtualizer]);
  const shown = virtualizer
    .getVirtualItems()
    .map(({ index }) => index)
    .join(' ');
  return useMemo(() => {
    const inView = shown
      .split(' ')
      .filter(Boolean)
      .flatMap((index) => middles[Number(index)] ?? []);
    return [...starts, ...inView, ...ends].sort((one, other) => one.position - other.position);
  }, [shown, starts, middles, ends]);
}

/** `scale` is how large text is, as a person sets it in the browser: 1 is 16 pixels. */
export function useLayout<R>(columns: readonly GridColumn<R>[], available: number) {
  const [scale] = useState(
    () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16,
  );
  const layout = useMemo(
    () => placeColumns(scaleColumns(columns, { scale, available }), available),
    [columns, scale, available],
  );
  return { layout, scale };
}

/**
 * Columns have room for larger text, but for those whose width a person chose. None gets wider
 * than the grid.
 */
function scaleColumns<R>(
  columns: readonly GridColumn<R>[],
  { scale, available }: { scale: number; available: number },
) {
  return columns.map((column) => {
    const { width, isSized } = column;
    const most = Math.max(width, available);
    return isSized ? column : { ...column, width: Math.min(most, Math.round(width * scale)) };
  });
}

export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  // The observer reports after the first paint, which would lack most columns.
  useLayoutEffect(() => {
    if (!element.current) return;
    setWidth(element.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/**
 * Tells the frame of a scroller where columns are hidden: at the start, the end or the last one.
 */
export function useScrollShadows(
  scroller: RefObject<HTMLElement | null>,
  layout: GridLayout<never>,
) {
  const frame = useRef<HTMLDivElement>(null);
  const pinned = layout.startWidth + layout.middleWidth + layout.endWidth;
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    function update() {
      if (!element || !frame.current) return;
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const end = scrollLeft + clientWidth;
      const hidden = [
        ...(scrollLeft > 0 ? ['start'] : []),
        ...(end < pinned - 1 ? ['end'] : end < scrollWidth - 1 ? ['after'] : []),
      ];
      frame.current.dataset.more = hidden.join(' ');
    }
    const observer = new ResizeObserver(update);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller, pinned]);
  return frame;
}

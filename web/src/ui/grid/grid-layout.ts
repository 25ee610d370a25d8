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

export interface GridColumn<R> {
  id: string;
  label: string;
  width: number;
  /** Stays in view at the start or end while the others scroll. */
  pin?: 'start' | 'end' | undefined;
  isNumeric?: boolean;
  isAnswer?: boolean;
  /** Whether the text of a row is on its way. */
  isAwaited?: (row: R) => boolean;
  /** Rows cannot be sorted or filtered by it. Its label is only read out, unless it has a head. */
  isFixed?: boolean;
  head?: (props: { tabIndex: number }) => ReactNode;
  /** The whole text of its cell, as it is copied. */
  text: (row: R) => string;
  /** What the cell shows instead of its text, or null. */
  shown?: (row: R) => ReactNode;
  /** A control in its place, which takes the focus of the cell: an element with `data-cell-control`. */
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
  middles: readonly PlacedColumn<R>[];
  ends: readonly PlacedColumn<R>[];
  startWidth: number;
  middleWidth: number;
  endWidth: number;
  width: number;
}

/** Columns that scroll; at most this share of the grid is pinned, or nothing would be left to scroll in. */
const mostPinned = 0.85;
/** Beside an open row, pinned columns become narrower: in pixels, what is left to scroll in and of each of them. */
const leastScrolling = 240;
const leastPinned = 150;
/** On a narrower one, a phone, the start of a sheet is worth more than a strip of the answer. */
const leastForAnswers = 480;

export function placeColumns<R>(
  wanted: readonly GridColumn<R>[],
  available: number,
): GridLayout<R> {
  const { columns, share } = pinColumns(wanted, available);
  const isEnd = ({ pin }: GridColumn<R>) => pin === 'end' && share > 0;
  const fitted = columns.map((column) =>
    isEnd(column) ? { ...column, width: Math.floor(column.width * share) } : column,
  );
  // A grid wider than its columns gives the rest to the last one.
  const rest = Math.max(0, Math.floor(available) - widthOf(fitted));
  const wide = fitted.map((column, position) => ({
    ...column,
    position,
    width: column.width + (position === columns.length - 1 ? rest : 0),
  }));
  const starts = inARow(
    wide.filter(({ pin }) => pin === 'start'),
    0,
  );
  const startWidth = widthOf(starts);
  const middles = inARow(
    wide
      .filter((column) => column.pin !== 'start' && !isEnd(column))
      .map((column) => ({ ...column, pin: undefined })),
    startWidth,
  );
  const ends = inARow(wide.filter(isEnd).toReversed(), 0).toReversed();
  const [middleWidth, endWidth] = [widthOf(middles), widthOf(ends)];
  const width = startWidth + middleWidth + endWidth;
  return { starts, middles, ends, startWidth, middleWidth, endWidth, width };
}

/** The last column at the start scrolls when those at the end could not stay in view beside it. */
function pinColumns<R>(wanted: readonly GridColumn<R>[], available: number) {
  const share = shareOfEnds(wanted, available);
  const last = wanted.findLastIndex(({ pin }) => pin === 'start');
  const isOnly = wanted.findIndex(({ pin }) => pin === 'start') === last;
  if (share > 0 || isOnly) return { columns: wanted, share };
  const columns = wanted.map((column, index) =>
    index === last ? { ...column, pin: undefined } : column,
  );
  const shareWithout = available < leastForAnswers ? 0 : shareOfEnds(columns, available);
  return shareWithout > 0 ? { columns, share: shareWithout } : { columns: wanted, share };
}

/** The share of their width at which the columns at the end stay in view, or 0 when they scroll with the others. */
function shareOfEnds(columns: readonly GridColumn<never>[], available: number): number {
  const ends = columns.filter(({ pin }) => pin === 'end');
  const [start, end] = [widthOf(columns.filter(({ pin }) => pin === 'start')), widthOf(ends)];
  if (start + end <= available * mostPinned) return 1;
  const room = Math.min(available * mostPinned, available - leastScrolling) - start;
  return room >= ends.length * leastPinned ? Math.min(1, room / end) : 0;
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

/** The columns between the pinned ones that are in view. */
export function useVisibleColumns<R>({ scroller, layout, active }: Visible<R>) {
  const { middles, startWidth, endWidth } = layout;
  const activeMiddle = middles.findIndex(({ position }) => position === active);
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: middles.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => middles[index]?.width ?? 0,
    paddingStart: startWidth,
    paddingEnd: endWidth,
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
  return useMemo(
    () =>
      shown
        .split(' ')
        .filter(Boolean)
        .flatMap((index) => middles[Number(index)] ?? []),
    [shown, middles],
  );
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

/** Tells the frame around a scroller where more of it is hidden: at the start, at the end or both. */
export function useScrollShadows(scroller: RefObject<HTMLElement | null>) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    function update() {
      if (!element || !frame.current) return;
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const hidden = [
        ...(scrollLeft > 0 ? ['start'] : []),
        ...(scrollLeft + clientWidth < scrollWidth - 1 ? ['end'] : []),
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
  }, [scroller]);
  return frame;
}

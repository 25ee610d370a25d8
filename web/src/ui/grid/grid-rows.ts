import { observeElementOffset, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** In pixels. Browsers stop at 33 million points, and a phone has up to four to a pixel. */
const maximumHeight = 8_000_000;

/**
 * A browser cannot scroll through any number of rows, so they share the places that fit: place `n`
 * shows row `n + shift`. The shift grows from 0 to `hidden` on the way down. Near both ends it does
 * not change.
 */
export type Places = ReturnType<typeof placesOf>;

/** `edge` places at each end keep their shift. */
export function placesOf(total: number, rowHeight: number) {
  const count = Math.min(total, Math.floor(maximumHeight / rowHeight));
  return { count, hidden: total - count, edge: Math.floor(count / 100) };
}

/** Where the scroll bar was dragged to. */
export function shiftOfPlace(place: number, { count, hidden, edge }: Places): number {
  return partOf(hidden, (place - edge) / (count - 2 * edge));
}

/** Where a row belongs, so that the scroll bar shows its part of all rows. */
export function shiftOfRow(row: number, { count, hidden, edge }: Places): number {
  return partOf(hidden, (row - edge) / (count + hidden - 2 * edge));
}

function partOf(hidden: number, share: number): number {
  return hidden === 0 ? 0 : Math.round(hidden * Math.min(1, Math.max(0, share)));
}

/** A small movement keeps the shift, unless the places would end before the rows do. */
export function shiftAfterStep(place: number, shift: number, places: Places): number {
  const { count, hidden, edge } = places;
  const isAtStart = place < edge && shift > 0;
  const isAtEnd = place > count - edge && shift < hidden;
  return isAtStart || isAtEnd ? shiftOfRow(place + shift, places) : shift;
}

/** Wheel, fingers and keys move less at once; the scroll bar moves more, by half a point of it. */
function mostOfStep({ clientHeight }: HTMLElement): number {
  return Math.max(2 * clientHeight, maximumHeight / clientHeight / 2);
}

interface Rows {
  scroller: RefObject<HTMLElement | null>;
  total: number;
  rowHeight: number;
  /** The row with the focus, which stays rendered to keep it; -1 for the header. */
  active: number;
}

/** Scrolls to a row that is far from the view, then calls when it is placed. */
export type Reach = (row: number, whenPlaced: () => void) => void;

/** The rows in view. */
export function useVisibleRows({ scroller, total, rowHeight, active }: Rows) {
  const places = placesOf(total, rowHeight);
  const latest = useRef({ places, rowHeight });
  latest.current = { places, rowHeight };
  const position = useRef({ top: 0, shift: 0 });
  const waiting = useRef<(() => void)[]>([]);
  const [wantedShift, setShift] = useState(0);
  const shift = Math.min(wantedShift, places.hidden);
  const virtualizer = useVirtualizer({
    count: places.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    observeElementOffset: (instance, onOffset) =>
      observeElementOffset(instance, (_, isScrolling) =>
        // The shift and the places in view are painted together.
        flushSync(() => {
          if (instance.scrollElement) follow(instance.scrollElement);
          onOffset(position.current.top, isScrolling);
        }),
      ),
  });
  function follow(element: HTMLElement) {
    const { places, rowHeight } = latest.current;
    const { top, shift } = position.current;
    const place = element.scrollTop / rowHeight;
    const isStep = Math.abs(element.scrollTop - top) < mostOfStep(element);
    const next = isStep ? shiftAfterStep(place, shift, places) : shiftOfPlace(place, places);
    if (isStep && next !== shift) element.scrollTop += (shift - next) * rowHeight;
    position.current = { top: element.scrollTop, shift: next };
    setShift(next);
  }
  const reach = useCallback<Reach>(
    (row, whenPlaced) => {
      const element = scroller.current;
      if (!element) return;
      const { places, rowHeight } = latest.current;
      const { scrollTop, clientHeight } = element;
      const { shift } = position.current;
      const distance = (row - shift) * rowHeight - scrollTop;
      const isFar = distance < -clientHeight || distance > 2 * clientHeight;
      const next = isFar ? shiftOfRow(row, places) : shift;
      if (isFar && places.hidden > 0) {
        element.scrollTop = (row - next) * rowHeight - clientHeight / 2;
        position.current = { top: element.scrollTop, shift: next };
        setShift(next);
      }
      if (next === shift && waiting.current.length === 0) whenPlaced();
      else waiting.current.push(whenPlaced);
    },
    [scroller],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another shift places the rows
  useEffect(() => {
    for (const whenPlaced of waiting.current.splice(0)) whenPlaced();
  }, [shift]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height needs other offsets
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer]);

  const rows = virtualizer
    .getVirtualItems()
    .map(({ index, start }) => ({ index: index + shift, top: start }));
  if (active >= 0 && !rows.some(({ index }) => index === active)) {
    const place = Math.min(Math.max(active - shift, 0), places.count - 1);
    rows.push({ index: active, top: place * rowHeight });
    rows.sort((one, other) => one.index - other.index);
  }
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  return {
    rows,
    height: virtualizer.getTotalSize(),
    first: startIndex + shift,
    last: endIndex + shift,
    reach,
  };
}

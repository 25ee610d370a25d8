import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Row, RowView } from '../api.ts';
import { moveTo, useRowPages } from './row-pages.ts';
import { RowState } from './row-state.tsx';

const columns = [texts.row, texts.state, texts.prompt, texts.answerOrError];
const lineRem = 3;

interface RowsGridProps {
  view: RowView;
  total: number;
  active: number;
  onActive: (index: number) => void;
  onOpen: (index: number) => void;
}

/** A table of any length, of which only what is in view is on the page. Arrows, Page, Home and End move, Enter opens. */
export function RowsGrid({ view, total, active, onActive, onOpen }: RowsGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isMoved = useRef(false);
  const [lineHeight] = useState(
    () => lineRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
  );
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 10,
    // The heading stands before the first line and sticks to the top.
    paddingStart: lineHeight,
    scrollPaddingStart: lineHeight,
    // The line with the focus stays on the page when it is scrolled away, or the focus would be lost.
    rangeExtractor: useCallback(
      (range: Range) =>
        [...new Set([...defaultRangeExtractor(range), Math.min(active, total - 1)])].sort(
          (a, b) => a - b,
        ),
      [active, total],
    ),
  });
  const items = virtualizer.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const { rowAt, broken } = useRowPages(view, { first: startIndex, last: endIndex, total });
  useEffect(() => {
    virtualizer.scrollToIndex(active);
    if (isMoved.current) document.getElementById(lineId(active))?.focus({ preventScroll: true });
    isMoved.current = false;
  }, [active, virtualizer]);

  function move(event: KeyboardEvent) {
    const next = moveTo(event.key, {
      row: active,
      total,
      screen: Math.max(1, endIndex - startIndex - 1),
    });
    if (next === null) return;
    event.preventDefault();
    isMoved.current = true;
    onActive(next);
  }

  return (
    <>
      {broken.length > 0 && (
        <Notice tone="error">
          <p>{texts.rowsNotLoaded}</p>
          <Button variant="ghost" onClick={() => broken.forEach((page) => void page.refetch())}>
            {texts.tryAgain}
          </Button>
        </Notice>
      )}
      <div ref={scroller} className="rows-scroller">
        <table
          className="rows-grid"
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with keys of its own is a grid
          role="grid"
          aria-label={texts.rows}
          aria-rowcount={total + 1}
          onKeyDown={move}
        >
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map(({ index, start }, place) => (
              <Fragment key={index}>
                <Gap height={start - (items[place - 1]?.end ?? lineHeight)} />
                <RowsLine
                  index={index}
                  row={rowAt(index)}
                  isActive={index === Math.min(active, total - 1)}
                  onActive={onActive}
                  onOpen={onOpen}
                />
              </Fragment>
            ))}
            <Gap height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? lineHeight)} />
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Stands for the lines that are not on the page. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className="rows-gap">
      <td style={{ height }} />
    </tr>
  );
}

interface RowsLineProps {
  index: number;
  /** Not there while its page is on the way. */
  row: Row | undefined;
  isActive: boolean;
  onActive: (index: number) => void;
  onOpen: (index: number) => void;
}

export const lineId = (index: number) => `row-line-${index}`;

/** One line of the table. Its button covers the whole line, so that it opens wherever it is pressed. */
export const RowsLine = memo(function RowsLine({
  index,
  row,
  isActive,
  onActive,
  onOpen,
}: RowsLineProps) {
  return (
    <tr className="rows-line" aria-rowindex={index + 2} aria-busy={!row}>
      <td>
        <button
          type="button"
          id={lineId(index)}
          tabIndex={isActive ? 0 : -1}
          aria-label={row ? texts.openRow(formatNumber(row.row + 1)) : texts.loadingRow}
          onFocus={() => onActive(index)}
          onClick={() => onOpen(index)}
        >
          {row ? formatNumber(row.row + 1) : '…'}
        </button>
      </td>
      <td>{row ? <RowState state={row.state} /> : <div className="skeleton" />}</td>
      <td className="rows-prompt">{row && short(row.prompt)}</td>
      <td>{row && short(row.problem ?? row.answer ?? '')}</td>
    </tr>
  );
});

/** One line shows no more than this; a megabyte in each of fifty lines would be felt. */
function short(text: string): string {
  return text.slice(0, 300);
}

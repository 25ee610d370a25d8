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
import styles from './batch-rows.module.css';
import { indexAfterKey, useRowPages } from './row-pages.ts';
import { RowState } from './row-state.tsx';

const columns = [texts.row, texts.state, texts.prompt, texts.answerOrError];
const rowHeightRem = 3;

interface Props {
  view: RowView;
  total: number;
  /** The index of the row that Tab reaches and the keys move from. */
  active: number;
  onActive: (index: number) => void;
  onOpen: (index: number) => void;
}

/** A table of any length that renders only the visible rows. Arrows, Page, Home and End move; Enter opens a row. */
export function RowGrid({ view, total, active, onActive, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const wasMovedByKey = useRef(false);
  const [rowHeight] = useState(
    () => rowHeightRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
  );
  const shownActive = Math.min(active, total - 1);
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // Space for the sticky header row.
    paddingStart: rowHeight,
    scrollPaddingStart: rowHeight,
    // The active row stays rendered when it is scrolled away, or the focus would be lost.
    rangeExtractor: useCallback(
      (range: Range) =>
        [...new Set([...defaultRangeExtractor(range), shownActive])].sort((a, b) => a - b),
      [shownActive],
    ),
  });
  const items = virtualizer.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const { rowAt, failedPages } = useRowPages(view, { first: startIndex, last: endIndex, total });
  useEffect(() => {
    virtualizer.scrollToIndex(active);
    if (wasMovedByKey.current)
      document.getElementById(rowElementId(active))?.focus({ preventScroll: true });
    wasMovedByKey.current = false;
  }, [active, virtualizer]);

  function onKeyDown(event: KeyboardEvent) {
    const visibleRows = Math.max(1, endIndex - startIndex - 1);
    const next = indexAfterKey(event.key, { index: active, total, visibleRows });
    if (next === null) return;
    event.preventDefault();
    wasMovedByKey.current = true;
    onActive(next);
  }

  return (
    <>
      {failedPages.length > 0 && (
        <Notice tone="error">
          <p>{texts.rowsNotLoaded}</p>
          <Button
            variant="ghost"
            onClick={() => failedPages.forEach((page) => void page.refetch())}
          >
            {texts.tryAgain}
          </Button>
        </Notice>
      )}
      <div ref={scroller} className={styles.scroller}>
        <table
          className={styles.grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with key navigation is a grid
          role="grid"
          aria-label={texts.rows}
          aria-rowcount={total + 1}
          onKeyDown={onKeyDown}
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
            {items.map(({ index, start }, position) => (
              <Fragment key={index}>
                <Spacer height={start - (items[position - 1]?.end ?? rowHeight)} />
                <GridRow
                  index={index}
                  row={rowAt(index)}
                  isActive={index === shownActive}
                  onActive={onActive}
                  onOpen={onOpen}
                />
              </Fragment>
            ))}
            <Spacer height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? rowHeight)} />
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Takes the space of the rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className={styles.spacer}>
      <td style={{ height }} />
    </tr>
  );
}

interface GridRowProps {
  index: number;
  /** Undefined while its page is loading. */
  row: Row | undefined;
  isActive: boolean;
  onActive: (index: number) => void;
  onOpen: (index: number) => void;
}

export const rowElementId = (index: number) => `row-${index}`;

/** The button covers the whole row, so pressing anywhere opens it. */
const GridRow = memo(function GridRow({ index, row, isActive, onActive, onOpen }: GridRowProps) {
  return (
    <tr className={styles.row} aria-rowindex={index + 2} aria-busy={!row}>
      <td>
        <button
          type="button"
          id={rowElementId(index)}
          tabIndex={isActive ? 0 : -1}
          aria-label={row ? texts.openRow(formatNumber(row.row + 1)) : texts.loadingRow}
          onFocus={() => onActive(index)}
          onClick={() => onOpen(index)}
        >
          {row ? formatNumber(row.row + 1) : '…'}
        </button>
      </td>
      <td>{row ? <RowState state={row.state} /> : <div className="skeleton" />}</td>
      <td>{row && shorten(row.prompt)}</td>
      <td>{row && shorten(row.problem ?? row.answer ?? describeEarlier(row))}</td>
    </tr>
  );
});

/** A waiting row says why it failed before. */
function describeEarlier({ earlier_problem }: Row): string {
  return earlier_problem ? texts.earlierProblem(earlier_problem) : '';
}

/** A line shows less than this, and megabytes of hidden text would slow the page down. */
function shorten(text: string): string {
  return text.slice(0, 300);
}

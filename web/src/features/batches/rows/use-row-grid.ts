import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { NavigateOptions } from 'react-router';
import { useOverlayEntry } from '../../../lib/hooks/use-overlay-entry.ts';
import type { Cell } from '../../../ui/grid/grid-cells.ts';
import { linkedRowQuery, type Row, type RowView } from '../api.ts';

/** The keys start at the row number, after the checkbox. */
const numberColumn = 1;

/** Names the open row in the address. `covers`: over the whole screen, where Back closes it. */
export type LinkRow = (row: number | null, covers?: boolean) => void;

export const inPlace = { replace: true, preventScrollReset: true };

/** A row over the whole screen gets an entry in the history, and all others replace theirs. */
export function useRowLink(
  show: (changes: { row: number }, options: NavigateOptions) => void,
): LinkRow {
  const { isOverlay, overlay, leave } = useOverlayEntry();
  return useCallback(
    (row, covers = false) => {
      if (row === null && isOverlay) {
        leave();
        return;
      }
      const isFirst = covers && !new URLSearchParams(location.search).has('row');
      const state = isFirst || isOverlay ? overlay : undefined;
      show({ row: row ?? 0 }, { ...inPlace, replace: !isFirst, state });
    },
    [show, leave, isOverlay, overlay],
  );
}

interface OpenRow {
  view: RowView;
  /** The row number in the address. */
  linked: number | null;
  onLink: LinkRow;
}

/** The cell with the focus, and the row open beside the grid, which an address may name. */
export function useOpenRow({ view, linked, onLink }: OpenRow) {
  const [active, setActive] = useState<Cell>({ row: 0, column: numberColumn });
  const [opened, setOpened] = useState<number | null>(null);
  const [isLinked, setLinked] = useState(linked !== null);
  const [before, setBefore] = useState(linked);
  // Back and forward.
  if (linked !== before) {
    setBefore(linked);
    if (linked === null) setOpened(null);
    else if (opened === null) setLinked(true);
  }
  const query = useQuery(linkedRowQuery(view, isLinked ? linked : null));
  if (isLinked && query.data) {
    setLinked(false);
    setOpened(query.data.start ?? 0);
    setActive({ row: query.data.start ?? 0, column: numberColumn });
  }
  const close = useCallback(() => {
    setOpened(null);
    onLink(null);
  }, [onLink]);
  // The list may lack the row.
  const isMissing = isLinked && query.isError;
  useEffect(() => {
    if (!isMissing) return;
    setLinked(false);
    close();
  }, [isMissing, close]);
  /** The open row follows the cell with the focus. */
  const moveTo = useCallback((cell: Cell) => {
    setActive(cell);
    if (cell.row >= 0) setOpened((row) => (row === null ? null : cell.row));
  }, []);
  return useMemo(
    () => ({ active, opened, moveTo, close, open: setOpened }),
    [active, opened, moveTo, close],
  );
}

/** While a batch runs, rows leave a filtered list. The row being read stays the same. */
export function useStableRow(index: number | null, current: Row | undefined): Row | undefined {
  const [opened, setOpened] = useState<{ index: number; row: Row } | null>(null);
  const isSame = opened !== null && opened.index === index;
  if (index === null && opened) setOpened(null);
  if (
    index !== null &&
    current &&
    opened?.row !== current &&
    (!isSame || opened.row.row === current.row)
  )
    setOpened({ index, row: current });
  return isSame ? opened.row : current;
}

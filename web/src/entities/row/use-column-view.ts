import { changeSheetView, getSheetView } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { queryOf, setQueryData } from '../../lib/api/query.ts';
import { type ColumnView, usualView } from '../../ui/grid/column-view.ts';

/**
 * How a person arranged the columns of a sheet. The server keeps it for every batch of the sheet
 * and for every machine; when it cannot be stored, it lasts as long as the page.
 */
export function useColumnView(sheetId: string) {
  const stored = useQuery(queryOf(getSheetView, { id: sheetId }));
  const store = useMemo(() => viewSender(sheetId), [sheetId]);
  const [changed, setChanged] = useState<ColumnView | null>(null);
  const view = changed ?? stored.data?.view ?? usualView;
  function changeView(change: Partial<ColumnView>): void {
    const next = { ...view, ...change };
    setChanged(next);
    setQueryData(getSheetView, { id: sheetId }, (known) => known && { ...known, view: next });
    void store(next);
  }
  return [view, changeView] as const;
}

/** A column that is dragged wider changes with every move of the pointer. */
const pauseMilliseconds = 400;

/** Sends the first change at once, further ones together after a pause, one after the other. */
function viewSender(id: string): (view: ColumnView) => Promise<void> {
  let unsent: ColumnView | null = null;
  let isSending = false;
  const send = (view: ColumnView) =>
    call(changeSheetView, { id, view }, { keepalive: true }).catch(() => {});
  const sendAtOnce = () => unsent && send(unsent);
  return async (view) => {
    unsent = view;
    if (isSending) return;
    isSending = true;
    window.addEventListener('pagehide', sendAtOnce);
    while (unsent) {
      const next = unsent;
      unsent = null;
      const pause = new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
      await Promise.all([send(next), pause]);
    }
    window.removeEventListener('pagehide', sendAtOnce);
    isSending = false;
  };
}

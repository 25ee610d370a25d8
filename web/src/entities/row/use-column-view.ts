import { changeSheetView, getSheetView } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { queryOf, setQueryData } from '../../lib/api/query.ts';
import { type ColumnView, usualView } from '../../ui/grid/column-view.ts';

/**
 * How a person arranged the columns of a sheet. The server keeps it for every batch of the sheet and for every machine;
 * when it cannot be stored, it lasts as long as the page.
 */
export function useColumnView(sheetId: string) {
  const stored = useQuery(queryOf(getSheetView, { id: sheetId }));
  const [changed, setChanged] = useState<ColumnView | null>(null);
  const view = changed ?? stored.data?.view ?? usualView;
  function changeView(change: Partial<ColumnView>): void {
    const next = { ...view, ...change };
    setChanged(next);
    setQueryData(getSheetView, { id: sheetId }, (known) => known && { ...known, view: next });
    storeSoon(sheetId, next);
  }
  return [view, changeView] as const;
}

/** A column that is dragged wider changes with every move of the pointer. */
const restMilliseconds = 400;
const waiting = new Map<string, { send: () => void; timer: number }>();

function storeSoon(id: string, view: ColumnView): void {
  clearTimeout(waiting.get(id)?.timer);
  const send = () => {
    waiting.delete(id);
    void call(changeSheetView, { id, view }, { keepalive: true }).catch(() => {});
  };
  waiting.set(id, { send, timer: window.setTimeout(send, restMilliseconds) });
}

window.addEventListener('pagehide', () => {
  for (const { send, timer } of waiting.values()) {
    clearTimeout(timer);
    send();
  }
});

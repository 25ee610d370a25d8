import { changeSheetView, getSheetView } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { queryOf, setQueryData } from '../../lib/api/query.ts';
import { type ColumnView, usualView } from '../../ui/grid/column-view.ts';

/**
 * How a person arranged the columns of a sheet. The server keeps it for every batch of the sheet
 * and for every machine; when it cannot be stored, it lasts as long as the page.
 */
export function useColumnView(sheetId: string) {
  const stored = useQuery(queryOf(getSheetView, { id: sheetId }));
  const [changed, setChanged] = useState<ColumnView | null>(null);
  const view = changed ?? stored.data?.view ?? usualView;
  function changeView(change: Partial<ColumnView>): void {
    const next = { ...view, ...change };
    setChanged(next);
    setQueryData(getSheetView, { id: sheetId }, (known) => known && { ...known, view: next });
    void store(sheetId, next);
  }
  return [view, changeView] as const;
}

/** A column that is dragged wider changes with every move of the pointer. */
const pauseMilliseconds = 400;
/** By sheet, while one is being stored: what came after it. */
const unsent = new Map<string, ColumnView | null>();

/** The first change at once, further ones together after a pause, one after the other. */
async function store(id: string, view: ColumnView): Promise<void> {
  const isStoring = unsent.has(id);
  unsent.set(id, view);
  if (isStoring) return;
  for (let next: ColumnView | null = view; next; next = unsent.get(id) ?? null) {
    unsent.set(id, null);
    const pause = new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    await Promise.all([send(id, next), pause]);
  }
  unsent.delete(id);
}

async function send(id: string, view: ColumnView): Promise<void> {
  await call(changeSheetView, { id, view }, { keepalive: true }).catch(() => {});
}

window.addEventListener('pagehide', () => {
  for (const [id, view] of unsent) if (view) void send(id, view);
});

import { useState } from 'react';
import * as z from 'zod/mini';

const columnView = z.object({
  hidden: z.array(z.string()),
  widths: z.record(z.string(), z.number()),
  isWrapped: z.boolean(),
  isFrozen: z.boolean(),
});
export type ColumnView = z.infer<typeof columnView>;

const usual: ColumnView = { hidden: [], widths: {}, isWrapped: false, isFrozen: true };

/** How a person arranged the columns of a sheet. It survives a reload and ends with the tab. */
export function useColumnView(sheetId: string) {
  const key = `columns ${sheetId}`;
  const [view, setView] = useState(() => parseView(sessionStorage.getItem(key)));
  function changeView(change: Partial<ColumnView>): void {
    const changed = { ...view, ...change };
    setView(changed);
    try {
      sessionStorage.setItem(key, JSON.stringify(changed));
    } catch {
      // Without space for it, the arrangement lasts as long as the page.
    }
  }
  return [view, changeView] as const;
}

function parseView(stored: string | null): ColumnView {
  try {
    const parsed = columnView.safeParse(JSON.parse(stored ?? 'null'));
    return parsed.success ? parsed.data : usual;
  } catch {
    return usual;
  }
}

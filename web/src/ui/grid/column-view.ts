import { useState } from 'react';
import * as z from 'zod/mini';

const columnView = z.object({
  hidden: z.array(z.string()),
  /** The columns from left to right; those that are missing stand behind. */
  order: z._default(z.array(z.string()), []),
  widths: z.record(z.string(), z.number()),
  isWrapped: z.boolean(),
  isFrozen: z.boolean(),
});
export type ColumnView = z.infer<typeof columnView>;

const usual: ColumnView = { hidden: [], order: [], widths: {}, isWrapped: false, isFrozen: true };

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

/** Columns in their order. */
export function inOrder<C extends { id: string }>(columns: readonly C[], order: readonly string[]) {
  const rank = new Map(order.map((id, place) => [id, place]));
  const rankOf = ({ id }: C) => rank.get(id) ?? order.length;
  return columns.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The order after a column has changed places with a neighbour. */
export function moveColumn(ids: readonly string[], id: string, by: -1 | 1): string[] {
  const moved = ids.filter((other) => other !== id);
  const place = Math.min(Math.max(ids.indexOf(id) + by, 0), moved.length);
  return moved.toSpliced(place, 0, id);
}

import type { SheetView } from '@rowmill/contract';

export type ColumnView = SheetView;

export const usualView: ColumnView = {
  hidden: [],
  order: [],
  widths: {},
  isWrapped: false,
  isFrozen: true,
};

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

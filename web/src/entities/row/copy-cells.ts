import { errorMessage } from '../../lib/api/refusal.ts';
import { copyText } from '../../lib/copy-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/entities.ts';
import { type CellRange, toTsv } from '../../ui/grid/grid-cells.ts';
import type { GridColumn } from '../../ui/grid/grid-layout.ts';

/** Copying more would fill the memory; a download holds every row. */
const maximumCopied = 10_000;

/** Copies a range of cells as TSV. Rows that are not loaded are fetched. */
export async function copyCells<R>(
  columns: readonly GridColumn<R>[],
  { first, last }: CellRange,
  fetchRows: (first: number, last: number) => Promise<readonly R[]>,
): Promise<void> {
  const from = Math.max(0, first.row);
  if (last.row - from >= maximumCopied) {
    showToast('error', texts.tooManyToCopy(formatNumber(maximumCopied)));
    return;
  }
  try {
    const copied = await fetchRows(from, last.row);
    const used = columns.slice(first.column, last.column + 1);
    const cells = toTsv(copied.map((row) => used.map(({ text }) => text(row))));
    const count = copied.length * used.length;
    await copyText(cells, texts.cellsCopied(count, formatNumber(count)));
  } catch (error) {
    showToast('error', errorMessage(error));
  }
}

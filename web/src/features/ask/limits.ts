import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/ask.ts';

/** What the server takes, told and checked before anything is sent. */
const maximumMegabytes = 200;
const maximumRows = 1_000_000;
const maximumColumns = 200;

export const limitsInWords = texts.limits({
  megabytes: maximumMegabytes,
  rows: formatNumber(maximumRows),
  columns: maximumColumns,
});

/** Why a file need not be sent at all, or null. */
export function objectionTo({ name, size }: { name: string; size: number }): string | null {
  if (size === 0) return texts.isEmpty(name);
  if (size > maximumMegabytes * 1024 * 1024) return texts.isTooLarge(name, maximumMegabytes);
  if (/\.(xlsx?|ods|numbers)$/i.test(name)) return texts.isWorkbook(name);
  return null;
}

import { formatNumber } from '../../lib/format.ts';

/** What the server takes, told and checked before anything is sent. */
const maximumMegabytes = 200;
const maximumRows = 1_000_000;
const maximumColumns = 200;

export const limitsInWords = `Up to ${maximumMegabytes} MB, ${formatNumber(maximumRows)} rows and ${maximumColumns} columns.`;

/** Why a file need not be sent at all, or null. */
export function objectionTo({ name, size }: { name: string; size: number }): string | null {
  if (size === 0) return `${name} is empty. Choose a file with at least one row.`;
  if (size > maximumMegabytes * 1024 * 1024)
    return `${name} is larger than ${maximumMegabytes} MB. Split it, and upload the parts.`;
  if (/\.(xlsx?|ods|numbers)$/i.test(name)) return `${name} is a workbook. Save its sheet as CSV, and upload that.`;
  return null;
}

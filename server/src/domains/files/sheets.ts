import { Readable } from 'node:stream';
import { byteOrderMark, csvLine, jsonLinesType, workbookType } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import * as texts from '../../texts/sheets.ts';
import { dropAnswersAbout } from '../requests/store.ts';
import { eachBlockOfRows, openOriginalFile, readRows } from './rows.ts';
import { derivedName, presentSheet, removeFiles, rowsKey, type SheetRow } from './rules.ts';
import {
  findSheet,
  findSheetOfBatch,
  getSheet,
  hasBatches,
  lockSheet,
  markDeleted,
} from './store.ts';

export const showSheet: Handler<'getFile'> = async (ctx, { subjectId }, request) => {
  const { id, start, limit } = request;
  const sheet = await findSheet(ctx.db, { id, userId: subjectId });
  if (!sheet) refuse('not_found');
  const count = Math.min(limit, Math.max(0, sheet.rows - start));
  return {
    file: presentSheet(sheet),
    rows: await readRows(ctx, { sheetId: id, first: start, count }),
  };
};

/** The uploaded file, byte for byte, or its table as it was read; by its id or a batch’s. */
export const openOriginal: Handler<'downloadUploadedCsv'> = async (
  ctx,
  { subjectId },
  { id, repaired },
) => {
  const sheet =
    (await findSheet(ctx.db, { id, userId: subjectId })) ??
    (await findSheetOfBatch(ctx.db, { id, userId: subjectId }));
  if (!sheet) refuse('not_found');
  if (repaired)
    return {
      name: derivedName(sheet.name, 'repaired', { extension: '.csv' }),
      type: 'text/csv; charset=utf-8',
      content: Readable.from(repairedLines(ctx, sheet)),
    };
  return { name: sheet.name, type: typeOf(sheet), content: await openOriginalFile(ctx, sheet.id) };
};

function typeOf({ layout, encoding }: SheetRow): string {
  if (layout.format === 'workbook') return workbookType;
  const type = layout.format === 'json_lines' ? jsonLinesType : 'text/csv';
  return `${type}; charset=${encoding}`;
}

/** Cells that a spreadsheet would run get an apostrophe. */
async function* repairedLines(ctx: Context, sheet: SheetRow): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + (sheet.header ? csvLine(sheet.columns) : ''));
  for await (const { rows } of eachBlockOfRows(ctx, sheet.id, sheet.rows))
    yield Buffer.from(rows.map((cells) => csvLine(cells)).join(''));
}

/**
 * Locks the sheet that a batch was planned for. Read in another way, it has other columns and rows,
 * so the planned prompts would be sent with unfilled columns. Needs a transaction.
 */
export async function lockPlannedSheet(ctx: Context, planned: SheetRow): Promise<void> {
  const { id } = planned;
  if (!(await lockSheet(ctx.db, id))) refuse('not_found');
  if (rowsKey(id, await getSheet(ctx.db, id)) !== rowsKey(id, planned))
    refuse('not_now', { message: texts.revisedMeanwhile });
}

/** Deletes a sheet unless a batch uses it, and always its stored answers. In a transaction. */
export async function deleteUnusedSheet(ctx: Context, sheetId: string): Promise<void> {
  await dropAnswersAbout(ctx.db, [sheetId]);
  // The lock waits for a transaction that is creating a batch of this sheet.
  await lockSheet(ctx.db, sheetId);
  if (!(await hasBatches(ctx.db, sheetId))) await deleteSheets(ctx, [sheetId]);
}

/** Of locked sheets that no batch uses, however many, in the same few statements. */
export async function deleteSheets(ctx: Context, ids: readonly string[]): Promise<void> {
  await markDeleted(ctx.db, ids, ctx.clock.now());
  await ctx.enqueue(ctx.db, ...ids.map(removeFiles));
}

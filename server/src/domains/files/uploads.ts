import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import type { Handler, Upload } from '../../core/handlers.ts';
import { refuse, refuseField } from '../../core/refusal.ts';
import { lockOwner } from '../../db/owners.ts';
import { inPersistentTransaction } from '../../db/transaction.ts';
import type { Dialect, ImportedSheet, Layout, SheetRefused } from '../../lib/csv/sheet.ts';
import { newId } from '../../lib/ids.ts';
import * as texts from '../../texts/sheets.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { saveAnswerWithWork } from '../requests/idempotency-keys.ts';
import { originalKey, presentSheet, rowsKey, type SheetRow } from './rules.ts';
import { refuseOverQuota } from './storage.ts';
import { insertSheet, lockStorage } from './store.ts';

/** A sheet exists with its record. Errors before it remove its files, or the orphan sweep does. */
export const storeSheet: Handler<'saveFile'> = async (ctx, acting, request) => {
  const { upload } = request;
  await refuseOverQuota(ctx, acting.subjectId, upload.bytes);
  const imported = await importUpload(ctx, acting, {
    source: upload.path,
    name: upload.name,
    dialect: chosenDialect(request),
  });
  const id = newId(ctx.clock.now());
  try {
    if (ctx.signal?.aborted) refuseCancelled();
    await ctx.files.store(upload.path, originalKey(id));
    await ctx.files.store(imported.rowsPath, rowsKey(id, imported.dialect));
    return { file: presentSheet(await insertRecord(ctx, acting, { id, upload, imported })) };
  } catch (error) {
    await ctx.files.discard(imported.rowsPath);
    await ctx.files.remove(id);
    throw error;
  }
};

async function insertRecord(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  { id, upload, imported }: { id: string; upload: Upload; imported: ImportedUpload },
): Promise<SheetRow> {
  // Its files would be removed although the reply to a commit is all that was lost.
  return inPersistentTransaction(ctx, async (ctx) => {
    if (!(await lockOwner(ctx.db, subjectId))) refuse('not_found');
    await lockStorage(ctx.db, subjectId);
    await refuseOverQuota(ctx, subjectId, upload.bytes + (imported.offsets.at(-1) ?? 0));
    const sheet = await insertSheet(ctx.db, {
      id,
      user_id: subjectId,
      actor_id: actor.id,
      name: upload.name,
      bytes: upload.bytes,
      created_at: ctx.clock.now(),
      metadata: JSON.stringify(upload.metadata),
      ...importedColumns(imported),
    });
    await saveAnswerWithWork(ctx, actor, { file: presentSheet(sheet) });
    await writeAuditEntry(ctx, { actor, subjectId }, 'sheet_uploaded', { sheet: id });
    record(ctx, 'sheet_uploaded', {
      user_id: subjectId,
      sheet: id,
      bytes: upload.bytes,
      rows: sheet.rows,
    });
    return sheet;
  });
}

/** An imported sheet whose rows file is still at a temporary path. */
export interface ImportedUpload extends ImportedSheet {
  rowsPath: string;
}

export async function importUpload(
  ctx: Context,
  { actor }: ActingFor,
  file: { source: string; name?: string; dialect: Partial<Dialect> },
): Promise<ImportedUpload> {
  const target = ctx.files.temporaryPath();
  const limits = ctx.config.sheets;
  try {
    const input = { ...file, target, limits };
    const sheet = await ctx.importer.import(actor.id, input, ctx.signal);
    return { ...sheet, rowsPath: target };
  } catch (error) {
    await ctx.files.discard(target);
    if (ctx.signal?.aborted) refuseCancelled();
    return refuseSheet(error);
  }
}

/** The client has left, so it would never learn of the sheet. */
function refuseCancelled(): never {
  refuseField('file', texts.uploadCancelled);
}

const codes = {
  too_large: 'too_large',
  unreadable: 'unreadable_file',
  not_a_sheet: 'unsupported_media',
} as const;

function refuseSheet(error: unknown): never {
  const { kind, message, code } = error as Partial<SheetRefused> & { code?: string };
  if (code === 'ENOSPC') refuse('storage_full');
  if (kind && Object.hasOwn(codes, kind))
    refuse(codes[kind], { message: message ?? texts.unreadable });
  throw error;
}

/** The columns of a sheet's record that depend on how its file was read. */
export function importedColumns(imported: ImportedUpload) {
  const { layout, ...dialect } = imported.dialect;
  return {
    ...dialect,
    layout: JSON.stringify(layout),
    worksheets: JSON.stringify(imported.worksheets),
    dialect_confirmed: imported.isSure,
    columns: JSON.stringify(imported.columns),
    rows: imported.rows,
    blank_rows: imported.blankRows,
    candidates: JSON.stringify(imported.candidates),
    sample: JSON.stringify(imported.sample),
    report: JSON.stringify(imported.report),
    offsets: JSON.stringify(imported.offsets),
    column_sizes: JSON.stringify(imported.columnSizes),
  };
}

/** The part of the dialect that the request sets; the import detects the rest. */
export function chosenDialect({
  encoding,
  delimiter,
  header,
  ...request
}: Partial<Record<keyof Dialect | keyof Layout, unknown>>): Partial<Dialect> {
  const dialect: Partial<Dialect> = {};
  if (typeof encoding === 'string') dialect.encoding = encoding;
  if (typeof delimiter === 'string') dialect.delimiter = delimiter;
  if (typeof header === 'boolean') dialect.header = header;
  const layout = layoutFields.flatMap((name) =>
    request[name] === undefined ? [] : [[name, request[name]]],
  );
  if (layout.length > 0) dialect.layout = Object.fromEntries(layout);
  return dialect;
}

const layoutFields = ['worksheet', 'skip_rows', 'header_rows', 'comment', 'trim', 'quote'] as const;

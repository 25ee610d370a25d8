import type { Context } from '../../context.ts';
import type { Dialect, ImportedSheet, SheetRefused } from '../../lib/csv/import-file.ts';
import { importInWorker } from '../../lib/csv/import-in-worker.ts';
import { refuse } from '../../refusal.ts';

/** What is known of a sheet after its bytes were read; the rows wait at a temporary path. */
export interface Reading extends ImportedSheet {
  rowsPath: string;
}

/** Reads the bytes of an upload in a thread of its own. What is wrong with the file is told with its line. */
export async function readUpload(
  ctx: Context,
  source: string,
  dialect: Partial<Dialect>,
): Promise<Reading> {
  const target = ctx.files.temporaryPath();
  try {
    const imported = await importInWorker({ source, target, limits: ctx.config.sheets, dialect });
    return { ...imported, rowsPath: target };
  } catch (error) {
    await ctx.files.discard(target);
    return refuseSheet(error);
  }
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
    refuse(codes[kind], { message: message ?? 'This file cannot be read.' });
  throw error;
}

/** The columns of a sheet's record that a reading decides. */
export function recordOf(reading: Reading) {
  const { dialect, isSure, columns, rows, blankRows, candidates, sample, report, offsets } =
    reading;
  return {
    ...dialect,
    is_sure: isSure,
    columns: JSON.stringify(columns),
    rows,
    blank_rows: blankRows,
    candidates: JSON.stringify(candidates),
    sample: JSON.stringify(sample),
    report: JSON.stringify(report),
    offsets: JSON.stringify(offsets),
  };
}

/** Only what was said: an absent field leaves the detection its choice. */
export function wantedDialect({
  encoding,
  delimiter,
  header,
}: Partial<Record<keyof Dialect, unknown>>): Partial<Dialect> {
  return {
    ...(typeof encoding === 'string' ? { encoding } : {}),
    ...(typeof delimiter === 'string' ? { delimiter } : {}),
    ...(typeof header === 'boolean' ? { header } : {}),
  };
}

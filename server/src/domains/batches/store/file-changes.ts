import type { Context } from '../../../core/context.ts';

/** What a CSV file had to change. */
export interface FileChanges {
  /** Cells that got an apostrophe. */
  apostrophes: number;
  /** Rows with characters that the encoding lacks. */
  replaced: number;
}

/** The file is complete by now, so a failure here must not break it. */
export async function saveFileChanges(
  { db, log }: Pick<Context, 'db' | 'log'>,
  batchId: string,
  { apostrophes, replaced }: FileChanges,
): Promise<void> {
  try {
    await db
      .updateTable('batches')
      .set({ file_apostrophes: apostrophes, file_replaced: replaced })
      .where('id', '=', batchId)
      .execute();
  } catch (error) {
    log.warn({ err: error, batch: batchId }, 'the changes of a file could not be stored');
  }
}

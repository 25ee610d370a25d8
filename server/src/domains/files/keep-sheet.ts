import type { ParsedRequestOf, saveFile } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import type { Upload } from '../../handlers.ts';
import { newId } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { countTry } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { type Reading, readUpload, recordOf, wantedDialect } from './read-upload.ts';
import { originalKey, presentSheet, rowsKey, type SheetRow } from './rules.ts';
import { insertSheet } from './store.ts';

type Request = ParsedRequestOf<typeof saveFile> & { upload: Upload };

/** A sheet is there when its record is. Whatever fails before leaves no file behind; only a kill between the two can. */
export async function keepSheet(ctx: Context, acting: Acting, request: Request) {
  const { upload } = request;
  const { subjectId } = acting;
  await countTry(ctx, limits.uploadByPerson, subjectId);
  const reading = await readUpload(ctx, upload.path, wantedDialect(request));
  const id = newId(ctx.clock.now());
  try {
    if (upload.isGivenUp())
      refuse('invalid_input', { fields: { file: 'The upload was given up.' } });
    await ctx.files.keep(upload.path, originalKey(id));
    await ctx.files.keep(reading.rowsPath, rowsKey(id, reading.dialect));
    const sheet = await writeRecord(ctx, acting, { id, upload, reading });
    record(ctx, 'sheet_uploaded', {
      user_id: subjectId,
      sheet: id,
      bytes: upload.bytes,
      rows: sheet.rows,
    });
    return { file: presentSheet(sheet) };
  } catch (error) {
    await ctx.files.discard(reading.rowsPath);
    await ctx.files.remove(id);
    throw error;
  }
}

interface Kept {
  id: string;
  upload: Upload;
  reading: Reading;
}

async function writeRecord(
  ctx: Context,
  { actor, subjectId }: Acting,
  { id, upload, reading }: Kept,
): Promise<SheetRow> {
  return inTransaction(ctx, async (inside) => {
    const { name, bytes, metadata } = upload;
    const identity = {
      id,
      user_id: subjectId,
      actor_id: actor.id,
      name,
      bytes,
      created_at: ctx.clock.now(),
    };
    const kept = await insertSheet(inside.db, {
      ...identity,
      ...recordOf(reading),
      metadata: JSON.stringify(metadata),
    });
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId,
      act: 'sheet_uploaded',
      detail: { sheet: id },
    });
    return kept;
  });
}

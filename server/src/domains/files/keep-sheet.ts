import type { ParsedRequestOf, saveFile } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import type { Upload } from '../../handlers.ts';
import { newId } from '../../lib/ids.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { countTry } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { readUpload, recordOf, wantedDialect } from './read-upload.ts';
import { originalKey, presentSheet, rowsKey } from './rules.ts';
import { insertSheet } from './store.ts';

type Request = ParsedRequestOf<typeof saveFile> & { upload: Upload };

/** A sheet is there when its record is: a process that dies before leaves temporary files, which the next start sweeps away. */
export async function keepSheet(ctx: Context, { actor, subjectId }: Acting, request: Request) {
  const { upload } = request;
  await countTry(ctx, limits.uploadByPerson, subjectId);
  const reading = await readUpload(ctx, upload.path, wantedDialect(request));
  const now = ctx.clock.now();
  const id = newId(now);
  await ctx.files.keep(upload.path, originalKey(id));
  await ctx.files.keep(reading.rowsPath, rowsKey(id));
  const sheet = await inTransaction(ctx, async (inside) => {
    const { name, bytes, metadata } = upload;
    const identity = { id, user_id: subjectId, actor_id: actor.id, name, bytes, created_at: now };
    const kept = await insertSheet(inside.db, { ...identity, ...recordOf(reading), metadata: JSON.stringify(metadata) });
    await writeAuditEntry(inside, { actorId: actor.id, subjectId, act: 'sheet_uploaded', detail: { sheet: id } });
    return kept;
  });
  record(ctx, 'sheet_uploaded', { user_id: subjectId, sheet: id, bytes: upload.bytes, rows: sheet.rows });
  return { file: presentSheet(sheet) };
}

import {
  asColumn,
  cellJson,
  describeType,
  type Output,
  outputNames,
  readValue,
} from '@rowmill/contract';
import type { Handler } from '../../../core/handlers.ts';
import { refuse, refuseField, refuseFields } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/batches.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { refuseOverQuota } from '../../files/storage.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { lockOwnBatch } from '../store/batches.ts';
import { updateJudgements } from '../store/judgements.ts';
import { describeBatch } from '../views.ts';

/** In all rows of one call: more would block the embedded database for seconds. */
const mostTextBytes = 512 * 1024;

/** Stores what a person thinks of answers. The answers of the model stay. */
export const judgeOwnAnswers: Handler<'judgeAnswers'> = async (
  ctx,
  { actor, subjectId },
  { id, rows, judgement, note, correction },
) => {
  await consumeRateLimit(ctx, rateLimits.judgementPerPerson, actor.id);
  const bytes = Buffer.byteLength(note ?? '') + Buffer.byteLength(correction?.join('') ?? '');
  if (rows.length * bytes > mostTextBytes) refuseField('note', texts.tooMuchNoted);
  if (bytes > 0) await refuseOverQuota(ctx, subjectId, rows.length * bytes);
  const { batch, judged } = await inTransaction(ctx, async (ctx) => {
    const known = await lockOwnBatch(ctx.db, { id, userId: subjectId });
    if (!known) refuse('not_found');
    if (correction && rows.length > 1) refuseField('rows', texts.correctOneRow);
    const changed = await updateJudgements(ctx.db, {
      batchId: id,
      rows: [...new Set(rows)],
      judgement,
      note: note?.trim() === '' ? null : note,
      correction: correction ? correctedAnswer(correction, known.options.outputs) : correction,
    });
    if (changed.judged.length === 0) refuse('not_now', { message: texts.nothingToJudge });
    if (actor.id !== subjectId)
      await writeAuditEntry(ctx, { actor, subjectId }, 'answers_judged', {
        batch: id,
        rows: changed.judged.length,
      });
    await ctx.publish(ctx.db, { user_id: subjectId, batch_id: id });
    return { batch: changed.batch ?? known, judged: changed.judged };
  });
  return {
    batch: await describeBatch(ctx, batch),
    rows: judged,
    message: texts.judged(judged.length),
  };
};

/** The corrected cells in the form in which a model answers; typed columns take only what fits. */
function correctedAnswer(cells: readonly string[], outputs: readonly Output[]): string {
  const columns = outputs.length || 1;
  // A missing text would empty its column.
  if (cells.length !== columns) refuseField('correction', texts.correctEachColumn(columns));
  if (outputs.length === 0) {
    const answer = cells.join('');
    if (answer.trim() === '') refuseFields({ 'correction.0': texts.mustBeFilled });
    return answer;
  }
  const names = outputNames(outputs);
  const fields: Record<string, string> = {};
  const parts = outputs.map((output, index) => {
    const column = asColumn(output);
    const value = readValue(cells[index] ?? '', column);
    if (value === 'unfit') fields[`correction.${index}`] = texts.notOfType(describeType(column));
    else if (value === 'empty' && !column.may_be_empty)
      fields[`correction.${index}`] = texts.mustBeFilled;
    const json =
      typeof value === 'string' ? (column.type === 'text' ? '""' : 'null') : cellJson(value);
    return `${JSON.stringify(names[index])}:${json}`;
  });
  refuseFields(fields);
  return `{${parts.join(',')}}`;
}

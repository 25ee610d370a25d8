import { isDeepStrictEqual } from 'node:util';
import {
  asColumn,
  halfPrice,
  mostFor,
  type Output,
  type Price,
  tokensBeside,
} from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse, refuseField } from '../../../core/refusal.ts';
import type { AskOptions } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/batches.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { getSheet } from '../../files/store.ts';
import { chooseModel } from '../../prompts/models.ts';
import { measureRows, readInTurn } from '../quote/quote.ts';
import { withdrawSlices } from '../slices/queue.ts';
import { selectedRows } from '../slices/sizes.ts';
import { type BatchRow, findBatch, updateBatch } from '../store/batches.ts';
import { listQueuedSlices } from '../store/slices.ts';
import { describeBatch } from '../views.ts';
import { lockForAction } from './actions.ts';

/** Changes model and options for the rows without an answer. Answered rows and the price stay. */
export const changeOptionsOfBatch: Handler<'changeBatchOptions'> = async (ctx, acting, request) => {
  const { actor, subjectId } = acting;
  const { id } = request;
  const chosen = await chooseModel(ctx, actor, { ...request, field: (name) => name });
  const { model, options } = chosen;
  const isModelSetUp = ctx.models.find(model) !== undefined;
  const longest = await measureForLonger(ctx, acting, { id, ...chosen });
  const batch = await inTransaction(ctx, async (ctx) => {
    const { batch } = await lockForAction(ctx, acting, { id, action: 'changeOptions' });
    if (model === batch.model && isModelSetUp === batch.is_model_set_up)
      options.max_tokens =
        request.max_tokens ?? (batch.price_tokens === null ? null : batch.options.max_tokens);
    else {
      refuseOtherPrice(batch, chosen.price);
      // Queued slices would wait for the provider of the earlier model.
      await withdrawSlices(ctx, id);
    }
    refuseLonger(batch, { ...chosen, longest });
    // Without a flex tier, half the price would buy the normal one.
    if (batch.finish_by && model !== batch.model && !ctx.models.find(model)?.has_flex)
      refuseField('model', texts.noEconomy);
    if (!isSame(options.outputs, batch.options.outputs)) {
      if (batch.answered > 0) refuseField('outputs', texts.columnsAreAnswered);
      // Rows in flight are answered in the earlier columns, and charged.
      if ((await listQueuedSlices(ctx.db, id)).length > 0)
        refuse('not_now', { message: texts.rowsStillFinishing });
    }
    await writeAuditEntry(ctx, { actor, subjectId }, 'batch_options_changed', { batch: id });
    await ctx.publish(ctx.db, { user_id: subjectId, batch_id: id, state: batch.state });
    return updateBatch(ctx.db, id, {
      model,
      is_model_set_up: isModelSetUp,
      options: JSON.stringify(options),
    });
  });
  return { batch: await describeBatch(ctx, batch), message: texts.optionsChanged };
};

/** A batch keeps its price, so another model must have the same. */
function refuseOtherPrice(batch: BatchRow, full: Price): void {
  const { price, price_tokens: tokens, unit_price: unit, finish_by: finishBy } = batch;
  const { submissions, size } = (finishBy && halfPrice(full)) || full;
  if (submissions !== (unit ?? price) || tokens !== (size?.tokens ?? null))
    refuseField('model', texts.otherPrice(unit ?? price, tokens));
}

interface Chosen {
  price: Price;
  options: AskOptions;
}

/** Of a batch with this price by size. Its model may have got another one since. */
const sizeOf = ({ price_tokens: tokens }: BatchRow, { price }: Chosen) =>
  tokens === null ? null : { tokens, answerTokens: price.size?.answerTokens ?? 0 };

/** Rows may become longer: reads how long the longest prompt is. Null: they do not. */
async function measureForLonger(
  ctx: Context,
  acting: ActingFor,
  { id, ...chosen }: Chosen & { id: string },
): Promise<number | null> {
  const batch = await findBatch(ctx.db, { id, userId: acting.subjectId });
  const size = batch && sizeOf(batch, chosen);
  if (!size || tokensBeside(chosen.options, size) <= tokensBeside(batch.options, size)) return null;
  const sheet = await getSheet(ctx.db, batch.sheet_id);
  const asked = { ...batch, sheet, selection: selectedRows(batch) };
  return (await readInTurn(ctx, acting, asked, () => measureRows(ctx, asked))).longest;
}

/** The reservation must still cover each row. */
function refuseLonger(batch: BatchRow, chosen: Chosen & { longest: number | null }): void {
  const size = sizeOf(batch, chosen);
  if (!size || chosen.longest === null) return;
  const price = { submissions: batch.unit_price ?? 0, size };
  const { longest: promptLength, options } = chosen;
  if (mostFor(price, { promptLength, options }) > batch.price)
    refuseField('max_tokens', texts.longerThanReserved);
}

/** A bare name and an object for the same text column are equal. */
function isSame(some: readonly Output[], others: readonly Output[]): boolean {
  const parts = (output: Output) => {
    const { name, type, description = '', options = [], may_be_empty = false } = asColumn(output);
    return [name, type, description, options, may_be_empty];
  };
  return isDeepStrictEqual(some.map(parts), others.map(parts));
}

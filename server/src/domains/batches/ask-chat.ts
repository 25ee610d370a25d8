import type { askChatGpt, ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import { getBalance } from '../credits/get-balance.ts';
import { askQuestion } from '../prompts/single-prompts.ts';
import { startBatch } from './lifecycle/start.ts';
import { planBatch } from './quote/plan.ts';
import { askPreview } from './quote/preview.ts';
import { quoteBatch } from './quote/quote.ts';
import { describeBatch } from './views.ts';

/** One call for four acts: the query says which. Without a sheet it is a single question. */
export async function askChat(
  ctx: Context,
  acting: ActingFor,
  request: ParsedRequestOf<typeof askChatGpt>,
) {
  const { query = {} } = request;
  const { subjectId } = acting;
  if (!query.file) return askQuestion(ctx, acting, request);
  const plan = await planBatch(ctx, subjectId, request);
  if (query.start) {
    const batch = await startBatch(ctx, acting, plan, query.partial === true);
    return {
      batch: await describeBatch(ctx, batch),
      creditsAvailable: await getBalance(ctx, subjectId),
    };
  }
  if (query.preview) {
    const wanted = query.rows?.slice(0, query.preview);
    const answers = await askPreview(
      ctx,
      acting,
      { ...plan, selection: null, rows: plan.sheet.rows },
      { count: query.preview, wanted },
    );
    return { answers, creditsAvailable: await getBalance(ctx, subjectId) };
  }
  if (query.quote) return { quote: await quoteBatch(ctx, subjectId, plan) };
  refuse('invalid_input', {
    fields: { query: 'With a file, say one of preview, quote or start.' },
  });
}

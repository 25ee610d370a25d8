import type { Handler } from '../../core/handlers.ts';
import { refuseField } from '../../core/refusal.ts';
import * as texts from '../../texts/batches.ts';
import { getBalance } from '../credits/ledger.ts';
import { askSinglePrompt } from '../prompts/single-prompts.ts';
import { startBatch } from './lifecycle/start.ts';
import { planBatch } from './quote/plan.ts';
import { previewRows, searchedRows } from './quote/preview.ts';
import { quoteBatch, readInTurn } from './quote/quote.ts';
import { describeBatch } from './views.ts';

const actions = ['preview', 'quote', 'start'] as const;
const onlyWithFile = [...actions, 'partial', 'rows', 'limit', 'finish_by', 'again'] as const;

/** One API call for four use cases: a single prompt, or a preview, a quote or a start. */
export const askChat: Handler<'askChatGpt'> = async (ctx, acting, request) => {
  const { query = {} } = request;
  const { subjectId } = acting;
  if (!query.file) {
    // A quote without its sheet would be charged as a single prompt.
    if (onlyWithFile.some((name) => query[name])) refuseField('query.file', texts.chooseSheet);
    return askSinglePrompt(ctx, acting, request);
  }
  // A start beside a quote would charge someone who only wants the price.
  if (actions.filter((name) => query[name]).length !== 1) refuseField('query', texts.chooseAction);
  const plan = await planBatch(ctx, acting, request);
  if (query.start) {
    const batch = await startBatch(ctx, acting, plan, query);
    return {
      batch: await describeBatch(ctx, batch),
      creditsAvailable: await getBalance(ctx, subjectId),
    };
  }
  if (query.preview) {
    const answers = await previewRows(
      ctx,
      acting,
      { ...plan, selection: null, rows: plan.sheet.rows },
      {
        count: query.preview,
        rows: query.rows?.slice(0, query.preview) ?? plan.selection?.slice(0, searchedRows),
        query,
      },
    );
    return { answers, creditsAvailable: await getBalance(ctx, subjectId) };
  }
  const quote = await readInTurn(ctx, acting, plan, () => quoteBatch(ctx, subjectId, plan));
  return { quote };
};

import { missingColumns } from '@rowmill/contract';
import type { ChatModel, ChatOutcome } from '../engine/port.ts';
import * as texts from '../texts/answers.ts';

/** Enough of an unusable answer to see what is wrong with it. It is free, so it is not kept whole. */
const shownCharacters = 2_000;

/** Refuses answers that lack a wanted column, whichever model they come from: a batch, a preview and a single prompt alike. */
export function withAnswerColumns(chat: ChatModel): ChatModel {
  return {
    name: chat.name,
    listModels: () => chat.listModels(),
    close: () => chat.close(),
    ask: async (request) => checkColumns(await chat.ask(request), request.outputs),
  };
}

export function checkColumns(outcome: ChatOutcome, outputs: readonly string[]): ChatOutcome {
  if (outcome.kind !== 'answered' || outputs.length === 0) return outcome;
  const missing = missingColumns(outcome.text, outputs);
  if (missing?.length === 0) return outcome;
  const answer = outcome.text.slice(0, shownCharacters).toWellFormed();
  const reason = missing ? texts.lacksColumns(missing) : texts.notColumns;
  return { kind: 'row_refused', reason, answer };
}

import { type Output, readAnswer } from '@rowmill/contract';
import { addTokens, type ChatModel, type ChatOutcome } from '../engine/port.ts';

/** Of an unusable answer, for its correction. */
const shownCharacters = 2_000;

/** Refuses answers that do not fit their columns: of every model, in batches and in prompts. */
export function withAnswerColumns(chat: ChatModel): ChatModel {
  return {
    ...chat,
    ask: async (request) => checkColumns(await chat.ask(request), request.outputs),
  };
}

export function checkColumns(outcome: ChatOutcome, outputs: readonly Output[]): ChatOutcome {
  if (outcome.kind !== 'answered' || outputs.length === 0) return outcome;
  const reading = readAnswer(outcome.text, outputs);
  if ('cells' in reading) return outcome;
  const answer = outcome.text.slice(0, shownCharacters).toWellFormed();
  const { tokens, tier } = outcome;
  return { kind: 'unusable', reason: reading.problem, answer, tokens, tier };
}

/** Asks once more after an unusable answer. In a batch the engine does so, within its limits. */
export function withCorrection(chat: ChatModel): ChatModel {
  return {
    ...chat,
    async ask(request) {
      const first = await chat.ask(request);
      if (first.kind !== 'unusable') return first;
      const { answer, reason: problem } = first;
      const second = await chat.ask({ ...request, correction: { answer, problem } });
      const tokens = addTokens(first.tokens, second.tokens);
      return second.kind === 'row_refused' ? { answer, ...second, tokens } : { ...second, tokens };
    },
  };
}

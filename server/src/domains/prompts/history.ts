import type { Handler } from '../../core/handlers.ts';
import { withTotal } from '../../db/lists.ts';
import { boundOfPromptSearch, listAnswers, listDistinctPrompts, listPrompts } from './store.ts';

const recentPrompts = 10;

interface PromptRow {
  id: string;
  template: string;
  asked_at: Date;
  sheet_name: string | null;
  rows: number;
}

export const listRecentPrompts: Handler<'recentQuestions'> = async (ctx, { subjectId }) => {
  const prompts = await listDistinctPrompts(ctx.db, { userId: subjectId, limit: recentPrompts });
  return { questions: prompts.map(presentPrompt) };
};

export const listPromptHistory: Handler<'getQuestionsAsked'> = async (
  ctx,
  { subjectId },
  request,
) => {
  const { start, limit, search } = request;
  const { rows: prompts, total } = await withTotal({ start, limit, search }, (page) =>
    listPrompts(ctx.db, { ...page, userId: subjectId }),
  );
  const ids = prompts.flatMap(({ id, sheet_name }) => (sheet_name === null ? [id] : []));
  const answers = await listAnswers(ctx.db, { userId: subjectId, ids });
  const questions = prompts.map((prompt) => ({
    ...presentPrompt(prompt),
    is_question_cut: prompt.is_question_cut,
    ...(answers.get(prompt.id) ?? noAnswer),
  }));
  const bound = search === '' ? undefined : await boundOfPromptSearch(ctx.db, subjectId);
  return { questions, total, ...(bound && { searched: bound }) };
};

const noAnswer = { answer: null, is_answer_cut: false, problem: null, charged: null };

function presentPrompt({ id, template, asked_at, sheet_name, rows }: PromptRow) {
  return { id, question: template, asked_at: asked_at.toISOString(), sheet: sheet_name, rows };
}

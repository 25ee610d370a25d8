import type { CallRequest } from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { listAnswers, listDistinctPrompts, listPrompts } from './store.ts';

const recentPrompts = 10;

interface PromptRow {
  id: string;
  template: string;
  asked_at: Date;
  sheet_name: string | null;
  rows: number;
}

export async function listRecentPrompts(ctx: Context, { subjectId }: ActingFor) {
  const prompts = await listDistinctPrompts(ctx.db, { userId: subjectId, limit: recentPrompts });
  return { questions: prompts.map(presentPrompt) };
}

export async function listPromptHistory(
  ctx: Context,
  { subjectId }: ActingFor,
  request: CallRequest<'getQuestionsAsked'>,
) {
  const { start, limit, search } = request;
  const prompts = await listPrompts(ctx.db, { userId: subjectId, start, limit, search });
  const ids = prompts.flatMap(({ id, sheet_name }) => (sheet_name === null ? [id] : []));
  const answers = await listAnswers(ctx.db, { userId: subjectId, ids });
  const questions = prompts.map((prompt) => ({
    ...presentPrompt(prompt),
    ...(answers.get(prompt.id) ?? noAnswer),
  }));
  return { questions, total: prompts[0]?.total ?? 0 };
}

const noAnswer = { answer: null, is_answer_cut: false, problem: null, charged: null };

function presentPrompt({ id, template, asked_at, sheet_name, rows }: PromptRow) {
  return { id, question: template, asked_at: asked_at.toISOString(), sheet: sheet_name, rows };
}

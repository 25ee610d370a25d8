import type { getQuestionsAsked, ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { listDistinctQuestions, listQuestions } from './store.ts';

const recentAtMost = 10;

interface Asked {
  id: string;
  template: string;
  asked_at: Date;
  sheet_name: string | null;
  rows: number;
}

export async function listRecentQuestions(ctx: Context, { subjectId }: ActingFor) {
  return {
    questions: (
      await listDistinctQuestions(ctx.db, { userId: subjectId, limit: recentAtMost })
    ).map(present),
  };
}

export async function listAskedQuestions(
  ctx: Context,
  { subjectId }: ActingFor,
  request: ParsedRequestOf<typeof getQuestionsAsked>,
) {
  const { start, limit, search } = request;
  const asked = await listQuestions(ctx.db, { userId: subjectId, start, limit, search });
  return { questions: asked.map(present), total: asked[0]?.total ?? 0 };
}

function present({ id, template, asked_at, sheet_name, rows }: Asked) {
  return { id, question: template, asked_at: asked_at.toISOString(), sheet: sheet_name, rows };
}

import { unusedColumns } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { getBalance } from '../../credits/get-balance.ts';
import { eachBlockOfRows } from '../../files/rows.ts';
import { findReady } from '../lifecycle/create.ts';
import { isBlank, promptOf } from '../rules.ts';
import type { BatchPlan } from './plan.ts';

/** What a batch would cost, and what a person should know before it starts. */
export async function quoteBatch(ctx: Context, userId: string, plan: BatchPlan) {
  const { blank, duplicates } = await surveyPrompts(ctx, plan);
  const answered = (await findReady(ctx, userId, plan))?.answered ?? 0;
  const needed = (plan.rows - blank - answered) * plan.price;
  const available = await getBalance(ctx, userId);
  const covered =
    plan.price === 0 ? plan.rows : Math.min(plan.rows, Math.floor(available / plan.price));
  const unused_columns = unusedColumns(plan.question, plan.sheet.columns);
  return {
    rows: plan.rows,
    blank,
    duplicates,
    answered,
    needed,
    available,
    covered,
    unused_columns,
  };
}

/** Reads every wanted row once, a slice at a time. */
async function surveyPrompts(
  ctx: Context,
  plan: BatchPlan,
): Promise<{ blank: number; duplicates: number }> {
  const render = promptOf(plan, plan.sheet.columns);
  const seen = new Set<number>();
  let blank = 0;
  let duplicates = 0;
  for await (const cells of eachWantedRow(ctx, plan)) {
    const prompt = render(cells);
    if (isBlank(prompt)) {
      blank++;
      continue;
    }
    const mark = markOf(prompt);
    if (seen.has(mark)) duplicates++;
    seen.add(mark);
  }
  return { blank, duplicates };
}

/** How many of the wanted rows ask nothing. Where the question says something by itself, none does. */
export async function countBlank(ctx: Context, plan: BatchPlan): Promise<number> {
  if (!isBlank(plan.question.replace(/\{\{[^{}]*\}\}/g, ''))) return 0;
  const render = promptOf(plan, plan.sheet.columns);
  let blank = 0;
  for await (const cells of eachWantedRow(ctx, plan)) if (isBlank(render(cells))) blank++;
  return blank;
}

async function* eachWantedRow(
  ctx: Context,
  { sheet, selection, rows }: BatchPlan,
): AsyncGenerator<string[]> {
  const wanted = selection ? new Set(selection) : null;
  const end = selection ? (selection.at(-1) ?? -1) + 1 : rows;
  for await (const slice of eachBlockOfRows(ctx, sheet.id, end)) {
    for (const [index, cells] of slice.rows.entries()) {
      const row = slice.first + index;
      if (row < end && (!wanted || wanted.has(row))) yield cells;
    }
  }
}

/** 53 bits of a prompt (cyrb53): a million prompts fit into memory, and two of them meet once in a thousand million sheets. */
function markOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

import { unusedColumns } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { getBalance } from '../../credits/ledger.ts';
import { eachBlockOfRows } from '../../files/rows.ts';
import { findPreviewed } from '../lifecycle/create.ts';
import { type BatchPlan, isBlank, promptRenderer } from './plan.ts';

/** What a batch would cost, and what a person should know before starting it. */
export async function quoteBatch(ctx: Context, userId: string, plan: BatchPlan) {
  const { blank, duplicates } = await surveyPrompts(ctx, plan);
  const answered = (await findPreviewed(ctx, userId, plan))?.answered ?? 0;
  const available = await getBalance(ctx, userId);
  return {
    rows: plan.rows,
    blank,
    duplicates,
    answered,
    needed: (plan.rows - blank - answered) * plan.price,
    available,
    covered: plan.price === 0 ? plan.rows : Math.min(plan.rows, Math.floor(available / plan.price)),
    unused_columns: unusedColumns(plan.question, plan.sheet.columns),
  };
}

async function surveyPrompts(
  ctx: Context,
  plan: BatchPlan,
): Promise<{ blank: number; duplicates: number }> {
  const seen = new Set<number>();
  let blank = 0;
  let duplicates = 0;
  for await (const prompt of eachPrompt(ctx, plan)) {
    if (isBlank(prompt)) {
      blank++;
      continue;
    }
    const hash = hashPrompt(prompt);
    if (seen.has(hash)) duplicates++;
    seen.add(hash);
  }
  return { blank, duplicates };
}

/** How many of the selected rows have an empty prompt: none if the template has text of its own. */
export async function countBlank(ctx: Context, plan: BatchPlan): Promise<number> {
  if (!isBlank(plan.question.replace(/\{\{[^{}]*\}\}/g, ''))) return 0;
  let blank = 0;
  for await (const prompt of eachPrompt(ctx, plan)) if (isBlank(prompt)) blank++;
  return blank;
}

async function* eachPrompt(ctx: Context, plan: BatchPlan): AsyncGenerator<string> {
  const { sheet, selection, rows } = plan;
  const render = promptRenderer(plan, sheet.columns);
  const selected = selection ? new Set(selection) : null;
  const end = selection ? (selection.at(-1) ?? -1) + 1 : rows;
  for await (const block of eachBlockOfRows(ctx, sheet.id, end)) {
    for (const [index, cells] of block.rows.entries()) {
      const row = block.first + index;
      if (row < end && (!selected || selected.has(row))) yield render(cells);
    }
  }
}

/**
 * A 53-bit hash (cyrb53), so that the prompts of a million rows fit into memory. Two different prompts of such a sheet
 * share a hash in about one of 18,000 sheets, and then only the count of duplicates is off by one.
 */
function hashPrompt(text: string): number {
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

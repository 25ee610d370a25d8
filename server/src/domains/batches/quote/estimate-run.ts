import type { Batch, Estimate } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { second } from '../../../lib/clock.ts';
import { callsAtOnce } from '../../prompts/models.ts';
import type { BatchRow } from '../store/batches.ts';
import type { RowResult } from '../store/results.ts';
import { estimateSum } from './estimate-sum.ts';
import type { BatchPlan } from './plan.ts';

interface Tried {
  /** Answers of a preview. */
  results: readonly RowResult[];
  /** Rows that are left. */
  openRows: number;
  /** The most that these cost. */
  needed: number;
}

/** What the open rows are likely to take, by the rows that were tried. */
export function estimateRun(ctx: Context, plan: BatchPlan, tried: Tried) {
  const { results, openRows } = tried;
  return {
    tokens: estimateSum(results.flatMap(tokensOf), openRows),
    submissions: submissionsOf(plan, tried),
    seconds: secondsOf(ctx, plan, tried),
  };
}

/** The estimate of the whole batch for its receipt, with what the preview took. */
export function estimateBatch(
  ctx: Context,
  { plan, preview }: { plan: BatchPlan; preview: BatchRow },
  tried: Tried,
): Batch['estimate'] {
  const { tokens, submissions, seconds } = estimateRun(ctx, plan, tried);
  if (!tokens && !seconds) return null;
  const { input_tokens: input, output_tokens: output, charged } = preview;
  const { needed } = tried;
  return {
    tokens: tokens && mapEstimate(tokens, (sum) => sum + input + output),
    submissions: mapEstimate(
      submissions ?? { low: needed, expected: needed, high: needed },
      (sum) => sum + charged,
    ),
    seconds,
  };
}

function mapEstimate({ low, expected, high }: Estimate, change: (value: number) => number) {
  return { low: change(low), expected: change(expected), high: change(high) };
}

/** None for a row whose tokens were not counted. */
function tokensOf({ input_tokens: input, output_tokens: output }: RowResult): number[] {
  return input == null && output == null ? [] : [(input ?? 0) + (output ?? 0)];
}

/** At least a unit for each row, at most the reservation. Null when rows cost the same. */
function submissionsOf({ price }: BatchPlan, { results, openRows, needed }: Tried) {
  const charges = results.flatMap(({ charge }) => charge ?? []);
  const sum = price.size && estimateSum(charges, openRows);
  if (!sum) return null;
  return mapEstimate(sum, (submissions) =>
    Math.min(needed, Math.max(openRows * price.submissions, submissions)),
  );
}

/** The mean time of an answer, from the estimate of a started batch. Null: no row was tried. */
export function triedMilliseconds(ctx: Context, { model, rows, estimate }: BatchRow) {
  if (!estimate?.seconds) return null;
  return (estimate.seconds.expected * second * Math.min(rows, callsAtOnce(ctx, model))) / rows;
}

/** Assumes as many calls at once as the provider's settings allow. */
function secondsOf(ctx: Context, { model }: BatchPlan, tried: Tried) {
  const { results, openRows } = tried;
  const sum = estimateSum(
    results.flatMap(({ milliseconds }) => milliseconds ?? []),
    openRows,
  );
  const atOnce = Math.max(1, Math.min(openRows, callsAtOnce(ctx, model)));
  return sum && mapEstimate(sum, (milliseconds) => Math.ceil(milliseconds / second / atOnce));
}

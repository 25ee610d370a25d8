import {
  allowedBatchActions,
  type Batch,
  type BatchAction,
  compileTemplate,
} from '@rowmill/contract';
import { hashSecret } from '../../lib/ids.ts';
import { rowsPerBlock } from '../../lib/csv/sheet.ts';
import type { BatchRow } from './store/batches.ts';

/** So many slices of a batch are in the queue or in hands at a time: a small batch never waits behind all of a large one, and
 * slices that wait for the last of their rows, to be tried again, hold up no others. */
export const slicesAhead = 12;
/** The first slice is small, so that the first answers come at once; with the second, the others begin where a stretch of
 * the rows file does. */
const firstSliceCounts = [16, 2 * rowsPerBlock - 16] as const;
export const sliceCount = 2 * rowsPerBlock;

/** A slice that so many processes had in hand when they died is asked in small groups from then on. */
export const crashesAtMost = 2;
/** A row fails when so many processes have died during its trials; all but the first of these it was on alone. */
export const trialsAtMost = 3;

export const sliceQueueName = 'batches.slice';

export function countOfSlice(index: number): number {
  return firstSliceCounts[index] ?? sliceCount;
}

/** The slice that begins a batch: few rows, for which there is always room. */
export const firstSlicePriority = 0;

/** The first slices of a batch go before the later ones of all others: who begins does not wait for who is long at it. */
export function priorityOfSlice(first: number): number {
  let end = 0;
  let index = 0;
  while (end < first && index < slicesAhead) end += countOfSlice(index++);
  return firstSlicePriority - index;
}

/** The same for everything that decides what is asked; which rows are wanted is not part of it. */
export function fingerprintOf(
  parts: Pick<BatchRow, 'sheet_id' | 'question' | 'variables' | 'options' | 'model'>,
): string {
  const { sheet_id, question, variables, options, model } = parts;
  return hashSecret(JSON.stringify([sheet_id, question, variables, options, model]));
}

export function promptOf(
  batch: Pick<BatchRow, 'question' | 'variables'>,
  columns: readonly string[],
) {
  return compileTemplate(batch.question, { columns, variables: batch.variables });
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** The row of the sheet that stands at a position of the wanted ones. */
export function rowsAt(
  batch: Pick<BatchRow, 'selection'>,
  { first, count }: { first: number; count: number },
): number[] {
  if (batch.selection) return batch.selection.slice(first, first + count);
  return Array.from({ length: count }, (_, index) => first + index);
}

const minuteMilliseconds = 60_000;
/** A pace that was measured over less than this says nothing. */
const shortestMeasure = 1_000;

/** Rows a minute since the older of two marks, so that it follows the present speed and does not jump. */
export function rowsPerMinute(batch: BatchRow, now: Date): number | null {
  if (batch.state !== 'running') return null;
  const [since, rows] = batch.previous_window_start
    ? [batch.previous_window_start, batch.previous_window_rows]
    : [batch.rate_window_start, batch.rate_window_rows];
  const passed = since ? now.getTime() - since.getTime() : 0;
  if (passed < shortestMeasure) return null;
  return Math.round(((batch.answered + batch.failed - rows) / passed) * minuteMilliseconds);
}

interface Shown {
  columns: string[];
  startedBy: string | null;
  now: Date;
}

export function presentBatch(row: BatchRow, { columns, startedBy, now }: Shown): Batch {
  const pace = rowsPerMinute(row, now);
  const left = row.rows - row.answered - row.failed;
  const isEnded = row.ended_at !== null;
  return {
    id: row.id,
    name: row.name,
    sheet_id: row.sheet_id,
    state: row.state,
    pause_reason: row.pause_reason,
    pause_detail: row.pause_detail,
    rows: row.rows,
    answered: row.answered,
    failed: row.failed,
    rows_per_minute: pace,
    seconds_left: pace ? Math.ceil((left / pace) * 60) : null,
    held: row.reserved,
    charged: row.charged,
    question: row.question,
    model: row.model,
    outputs: row.options.outputs,
    columns,
    actions: actionsOf(row),
    started_by: startedBy,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    receipt: isEnded ? receiptOf(row) : null,
  };
}

export function actionsOf(batch: Pick<BatchRow, 'state' | 'failed'>): BatchAction[] {
  return allowedBatchActions[batch.state].filter(
    (action) => action !== 'retryFailed' || batch.failed > 0,
  );
}

function receiptOf({ answered, failed, charged, total_reserved, reserved }: BatchRow) {
  return { answered, failed, charged, returned: total_reserved - charged - reserved };
}

/** How a stored answer is spread over the wanted columns; one that is not the wanted JSON stands in the first. */
export function splitAnswer(answer: string, outputs: readonly string[]): string[] {
  if (outputs.length === 0) return [answer];
  const parsed = parseObject(answer);
  if (!parsed) return outputs.map((_, index) => (index === 0 ? answer : ''));
  return outputs.map((name) => textOf(parsed[name]));
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Names for the columns of answers that no column of the sheet has already. */
export function answerColumns(columns: readonly string[], wanted: readonly string[]): string[] {
  const taken = new Set(columns);
  return wanted.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} (${number})`;
    taken.add(free);
    return free;
  });
}

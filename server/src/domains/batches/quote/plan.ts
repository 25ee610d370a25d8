import {
  type CallRequest,
  compileTemplate,
  halfPrice,
  type Price,
  type PromptTemplate,
} from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse, refuseField } from '../../../core/refusal.ts';
import type { AskOptions } from '../../../db/schema.ts';
import { day, hour } from '../../../lib/clock.ts';
import { hashSecret } from '../../../lib/ids.ts';
import * as texts from '../../../texts/batches.ts';
import { confirmDialectFirst } from '../../../texts/sheets.ts';
import type { SheetRow } from '../../files/rules.ts';
import { findSheet } from '../../files/store.ts';
import { chooseModel } from '../../prompts/models.ts';
import { usedVariables } from '../../prompts/variables.ts';
import { RowSet } from '../slices/row-set.ts';
import type { BatchRow } from '../store/batches.ts';
import { listRowsAgain } from './rows-again.ts';

type Request = CallRequest<'askChatGpt'>;
export type BatchQuery = NonNullable<Request['query']>;

/** Everything about a batch before it exists, for a quote, a preview and a start. */
export interface BatchPlan {
  sheet: SheetRow;
  question: string;
  variables: Record<string, string>;
  options: AskOptions;
  model: string;
  price: Price;
  /** Without and with a deadline. Null: no flex tier, or a price that cannot be halved. */
  prices: { now: Price; byDeadline: Price } | null;
  /** An economy batch. */
  finishBy: Date | null;
  fingerprint: string;
  /** Null for the first `rows` rows. */
  selection: RowSet | null;
  rows: number;
}

export async function planBatch(
  ctx: Context,
  { actor, subjectId: userId }: ActingFor,
  request: Request,
): Promise<BatchPlan> {
  const { query = {} } = request;
  const sheet = await findSheet(ctx.db, { id: query.file ?? '', userId });
  if (!sheet) refuse('not_found');
  if (!sheet.dialect_confirmed) refuse('not_now', { message: confirmDialectFirst });
  const question = templateOf(request, sheet);
  const variables = await usedVariables(ctx, {
    userId,
    template: question,
    columns: sheet.columns,
  });
  const { model, options, ...chosen } = await chooseModel(ctx, actor, {
    ...query,
    field: (name) => `query.${name}`,
  });
  const half = ctx.models.find(model)?.has_flex ? halfPrice(chosen.price) : null;
  const prices = half && { now: chosen.price, byDeadline: half };
  const finishBy = query.finish_by ? deadlineOf(ctx, new Date(query.finish_by)) : null;
  if (finishBy && !prices) refuseField('query.finish_by', texts.noEconomy);
  const price = finishBy && prices ? prices.byDeadline : chosen.price;
  return {
    sheet,
    question,
    variables,
    options,
    model,
    price,
    prices,
    finishBy,
    fingerprint: fingerprintOf([sheet.id, question, variables, options, model]),
    ...(await selectRows(ctx, { userId, query, sheet })),
  };
}

const soonestDeadline = 4 * hour;
const latestDeadline = 7 * day;

function deadlineOf(ctx: Context, finishBy: Date): Date {
  const ahead = finishBy.getTime() - ctx.clock.now().getTime();
  if (ahead < soonestDeadline || ahead > latestDeadline)
    refuseField('query.finish_by', texts.deadlineRange);
  return finishBy;
}

/** Plans with the same fingerprint send the same prompts, for any selected rows. */
function fingerprintOf(parts: readonly unknown[]): string {
  return hashSecret(JSON.stringify(parts));
}

/** A sheet with one column is a list of prompts, which are sent unchanged. */
function templateOf({ question, questionWithVariable }: Request, sheet: SheetRow): string {
  const template = questionWithVariable?.trim() || question?.trim();
  if (template) return template;
  const [only, ...others] = sheet.columns;
  if (only !== undefined && others.length === 0 && !/[{}]/.test(only)) return `{{${only}}}`;
  refuseField('questionWithVariable', texts.writePrompt);
}

interface Selected {
  userId: string;
  query: BatchQuery;
  sheet: SheetRow;
}

async function selectRows(ctx: Context, { userId, query, sheet }: Selected) {
  const { limit, again } = query;
  // Who counts from 1 would run other rows than they mean.
  if (query.rows?.some((row) => row >= sheet.rows))
    refuseField('query.rows', texts.noSuchRow(sheet.rows));
  const found = again && (await listRowsAgain(ctx, { userId, sheet, again }));
  const rows = found && query.rows ? among(found, query.rows) : (found ?? query.rows);
  if (!rows) return { selection: null, rows: Math.min(limit ?? sheet.rows, sheet.rows) };
  const existing = RowSet.of(rows, sheet.rows);
  const selection = limit ? RowSet.of(existing.slice(0, limit), sheet.rows) : existing;
  if (selection.size === 0) refuseField('query.rows', texts.noRowsChosen);
  return { selection, rows: selection.size };
}

function among(rows: Iterable<number>, chosen: readonly number[]): Iterable<number> {
  const isChosen = new Set(chosen);
  return Iterator.from(rows).filter((row) => isChosen.has(row));
}

/** The template of a batch or plan, with the variables it was made with. */
export function templateFor(
  { question, variables }: Pick<BatchRow, 'question' | 'variables'>,
  columns: readonly string[],
): PromptTemplate {
  return compileTemplate(question, { columns, variables });
}

import { type askChatGpt, missingIn, type ParsedRequestOf, variablesIn } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import type { AskOptions } from '../../../db/schema.ts';
import type { SheetRow } from '../../files/rules.ts';
import { findSheet } from '../../files/store.ts';
import { chooseModel, priceOf } from '../../prompts/models.ts';
import { listVariables } from '../../prompts/store.ts';
import { fingerprintOf } from '../rules.ts';

type Request = ParsedRequestOf<typeof askChatGpt>;

/** Everything that a batch would be, before there is one: what a quote, a preview and a start have in common. */
export interface BatchPlan {
  sheet: SheetRow;
  question: string;
  variables: Record<string, string>;
  options: AskOptions;
  model: string;
  price: number;
  fingerprint: string;
  selection: number[] | null;
  rows: number;
}

export async function planBatch(
  ctx: Context,
  userId: string,
  request: Request,
): Promise<BatchPlan> {
  const { query = {} } = request;
  const sheet = await findSheet(ctx.db, { id: query.file ?? '', userId });
  if (!sheet) refuse('not_found');
  if (!sheet.dialect_confirmed)
    refuse('not_now', { message: 'Please confirm first how the file is to be read.' });
  const question = questionOf(request, sheet);
  const variables = await variablesFor(ctx, { userId, question, columns: sheet.columns });
  const model = await chooseModel(ctx, query.model);
  const { system = null, temperature = null, max_tokens = null, outputs = [] } = query;
  const asked = {
    question,
    variables,
    options: { system, temperature, max_tokens, outputs },
    model,
  };
  const fingerprint = fingerprintOf({ ...asked, sheet_id: sheet.id });
  return { sheet, ...asked, price: priceOf(ctx, model), fingerprint, ...wantedRows(query, sheet) };
}

/** A sheet of one column is a list of prompts: each is asked as it stands. */
function questionOf({ question, questionWithVariable }: Request, sheet: SheetRow): string {
  const template = questionWithVariable?.trim() || question?.trim();
  if (template) return template;
  const [only, ...others] = sheet.columns;
  if (only !== undefined && others.length === 0) return `{{${only}}}`;
  refuse('invalid_input', {
    fields: { questionWithVariable: 'Please write what is to be asked of every row.' },
  });
}

async function variablesFor(
  ctx: Context,
  { userId, question, columns }: { userId: string; question: string; columns: readonly string[] },
): Promise<Record<string, string>> {
  const kept = Object.fromEntries(
    (await listVariables(ctx.db, userId)).map(({ name, value }) => [name, value]),
  );
  const missing = missingIn(question, { columns, variables: kept });
  if (missing.length > 0) {
    const names = missing.map((name) => `{{${name}}}`).join(', ');
    refuse('invalid_input', {
      fields: { questionWithVariable: `There is no column or variable for ${names}.` },
    });
  }
  const used = new Set(variablesIn(question));
  return Object.fromEntries(Object.entries(kept).filter(([name]) => used.has(name)));
}

function wantedRows({ rows, limit }: NonNullable<Request['query']>, sheet: SheetRow) {
  if (rows) {
    const selection = [...new Set(rows)].filter((row) => row < sheet.rows).sort((a, b) => a - b);
    const limited = limit ? selection.slice(0, limit) : selection;
    if (limited.length === 0)
      refuse('invalid_input', { fields: { 'query.rows': 'None of these rows is in the sheet.' } });
    return { selection: limited, rows: limited.length };
  }
  return { selection: null, rows: Math.min(limit ?? sheet.rows, sheet.rows) };
}

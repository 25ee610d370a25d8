import { missingIn, namesBeside, variablesIn } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse, refuseField } from '../../core/refusal.ts';
import { lockOwner } from '../../db/owners.ts';
import { inTransaction } from '../../db/transaction.ts';
import * as texts from '../../texts/prompts.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { deleteVariable, insertOrUpdateVariable, listVariables, lockVariables } from './store.ts';

const maximumVariables = 200;

/** An empty value removes the variable. */
export const upsertVariable: Handler<'saveVariable'> = async (
  ctx,
  { actor, subjectId },
  { variable },
) => {
  const { name, value } = variable;
  await inTransaction(ctx, async (ctx) => {
    if (!(await lockOwner(ctx.db, subjectId))) refuse('not_found');
    await lockVariables(ctx.db, subjectId);
    const saved = await listVariables(ctx.db, subjectId);
    const isNew = !saved.some((other) => other.name === name);
    if (isNew && saved.length >= maximumVariables)
      refuse('not_now', { message: texts.tooManyVariables(maximumVariables) });
    if (value === '') await deleteVariable(ctx.db, { user_id: subjectId, name });
    else await insertOrUpdateVariable(ctx.db, { user_id: subjectId, name, value });
    // Without the name: people choose it, and audit entries outlive the account.
    await writeAuditEntry(ctx, { actor, subjectId }, 'variable_changed');
  });
  return {
    variable,
    message: value === '' ? texts.variableRemoved(name) : texts.variableSaved(name),
  };
};

export const listOwnVariables: Handler<'getVariables'> = async (ctx, { subjectId }) => {
  return { variables: await listVariables(ctx.db, subjectId) };
};

/** The saved variables that a template uses. Refuses one that is neither saved nor a column. */
export async function usedVariables(
  ctx: Context,
  { userId, template, columns }: { userId: string; template: string; columns: readonly string[] },
): Promise<Record<string, string>> {
  const saved = Object.fromEntries(
    (await listVariables(ctx.db, userId)).map(({ name, value }) => [name, value]),
  );
  const missing = missingIn(template, { columns, variables: saved });
  if (missing.length > 0) {
    const names = missing.map((name) => `{{${name}}}`).join(', ');
    refuseField('questionWithVariable', texts.unknownVariables(names));
  }
  const used = new Set(namesBeside(columns, variablesIn(template)));
  return Object.fromEntries(Object.entries(saved).filter(([name]) => used.has(name)));
}

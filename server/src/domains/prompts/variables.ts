import type { ParsedRequestOf, saveVariable } from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import * as store from './store.ts';

const keptAtMost = 200;

/** An empty value removes the variable. */
export async function keepVariable(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  { variable }: ParsedRequestOf<typeof saveVariable>,
) {
  const { name, value } = variable;
  await inTransaction(ctx, async (inside) => {
    const kept = await store.listVariables(inside.db, subjectId);
    const isNew = !kept.some((other) => other.name === name);
    if (isNew && kept.length >= keptAtMost)
      refuse('not_now', { message: `At most ${keptAtMost} variables can be kept.` });
    if (value === '') await store.deleteVariable(inside.db, { user_id: subjectId, name });
    else await store.saveVariable(inside.db, { user_id: subjectId, name, value });
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId,
      act: 'variable_changed',
      detail: { name },
    });
  });
  return { variable };
}

export async function listOwnVariables(ctx: Context, { subjectId }: ActingFor) {
  return { variables: await store.listVariables(ctx.db, subjectId) };
}

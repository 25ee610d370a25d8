import type { CatalogueItem } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { record } from '../../events.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { nameEditor } from './store.ts';

interface Change {
  item: CatalogueItem;
  name: string;
}

/** Comes before the change itself, in its transaction: the history that the database writes then knows who made it. */
export async function signChange(
  ctx: Context,
  actor: Actor,
  { item, name }: Change,
): Promise<void> {
  await nameEditor(ctx.db, { actorId: actor.id, at: ctx.clock.now() });
  await writeAuditEntry(ctx, {
    actorId: actor.id,
    subjectId: actor.id,
    act: 'catalogue_changed',
    detail: { item, name },
  });
  record(ctx, 'catalogue_changed', { actor_id: actor.id, item });
}

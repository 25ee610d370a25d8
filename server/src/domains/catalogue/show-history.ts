import type { CatalogueChange, getCatalogueHistory, ParsedRequestOf } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { presentChange } from './rules.ts';
import { listChanges } from './store.ts';

export async function showHistory(
  ctx: Context,
  _: Actor,
  request: ParsedRequestOf<typeof getCatalogueHistory>,
) {
  const rows = await listChanges(ctx.db, request);
  return {
    changes: rows.map((row): CatalogueChange => presentChange(row)),
    total: rows[0]?.total ?? 0,
  };
}

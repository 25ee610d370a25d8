import type { Context } from '../../core/context.ts';
import { after, day } from '../../lib/clock.ts';
import { originalKey, rowsKey, sheetIdOf } from './rules.ts';
import { listDialects } from './store.ts';

/** A sheet has its record moments after its files. Files without one are orphans after this. */
const grace = day;

/** How many keys to compare with the records at a time. */
const keysPerQuery = 500;

type Swept = Pick<Context, 'clock' | 'db' | 'files' | 'log'>;

/** Removes files of imports and revisions that were killed before their record was committed. */
export async function sweepOrphans(ctx: Swept): Promise<void> {
  let keys: string[] = [];
  for await (const key of ctx.files.unchangedSince(after(ctx.clock.now(), -grace))) {
    keys.push(key);
    if (keys.length < keysPerQuery) continue;
    await removeUnknown(ctx, keys);
    keys = [];
  }
  await removeUnknown(ctx, keys);
}

async function removeUnknown(ctx: Swept, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const sheets = await listDialects(ctx.db, [...new Set(keys.map(sheetIdOf))]);
  const known = new Set(
    sheets.flatMap(({ id, ...dialect }) => [originalKey(id), rowsKey(id, dialect)]),
  );
  const unknown = keys.filter((key) => !known.has(key));
  for (const key of unknown) await ctx.files.remove(key);
  if (unknown.length > 0) ctx.log.warn({ files: unknown.length }, 'removed orphaned files');
}

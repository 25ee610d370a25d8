import type { Context } from '../../context.ts';
import { after, day } from '../../lib/clock.ts';
import { originalKey, rowsKey, sheetOf } from './rules.ts';
import { listReadings } from './store.ts';

/** A sheet gets its record moments after its files; what is a day old and in no record will never be in one. */
const grace = day;

/** So many keys are compared with the records at a time. */
const atOnce = 500;

/** Removes what an import leaves behind that was killed between its files and its record, or between two readings. */
export async function sweepOrphans(ctx: Context): Promise<void> {
  let keys: string[] = [];
  for await (const key of ctx.files.unchangedSince(after(ctx.clock.now(), -grace))) {
    keys.push(key);
    if (keys.length < atOnce) continue;
    await removeUnknown(ctx, keys);
    keys = [];
  }
  await removeUnknown(ctx, keys);
}

async function removeUnknown(ctx: Context, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const readings = await listReadings(ctx.db, [...new Set(keys.map(sheetOf))]);
  const known = new Set(
    readings.flatMap(({ id, ...dialect }) => [originalKey(id), rowsKey(id, dialect)]),
  );
  const unknown = keys.filter((key) => !known.has(key));
  for (const key of unknown) await ctx.files.remove(key);
  if (unknown.length > 0)
    ctx.log.warn({ files: unknown.length }, 'files that no record knows are removed');
}

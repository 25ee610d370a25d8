import type { Context } from '../../core/context.ts';
import { after, day } from '../../lib/clock.ts';
import { originalKey, rowsKey, sheetIdOf } from './rules.ts';
import { listDialects } from './store.ts';

/** A sheet has its record moments after its files. Files without one are orphans after this. */
const grace = day;

/** How many keys to compare with the records at a time. */
const keysPerQuery = 500;

type Swept = Pick<Context, 'clock' | 'db' | 'files' | 'log'>;

/** More orphans than this come from no killed imports. */
const plausible = 100;

/**
 * Removes files of imports and revisions that were killed before their record was committed. With
 * the database of another installation, or an empty one, all files would count as such.
 */
export async function sweepOrphans(ctx: Swept): Promise<void> {
  let [known, orphans] = [0, 0];
  for await (const part of compareKeys(ctx)) {
    known += part.known;
    orphans += part.orphans.length;
  }
  if (orphans === 0) return;
  if (known === 0 || (orphans > plausible && orphans > known)) {
    const text =
      'most stored files have no record and are kept: do the database and the place of files belong together?';
    ctx.log.error({ known, orphans }, text);
    return;
  }
  for await (const part of compareKeys(ctx))
    for (const key of part.orphans) await ctx.files.remove(key);
  ctx.log.warn({ files: orphans }, 'removed orphaned files');
}

interface Compared {
  known: number;
  orphans: string[];
}

async function* compareKeys(ctx: Swept): AsyncGenerator<Compared> {
  let keys: string[] = [];
  for await (const key of ctx.files.unchangedSince(after(ctx.clock.now(), -grace))) {
    keys.push(key);
    if (keys.length < keysPerQuery) continue;
    yield await compare(ctx, keys);
    keys = [];
  }
  if (keys.length > 0) yield await compare(ctx, keys);
}

async function compare({ db }: Swept, keys: readonly string[]): Promise<Compared> {
  const sheets = await listDialects(db, [...new Set(keys.map(sheetIdOf))]);
  const named = new Set(
    sheets.flatMap(({ id, ...dialect }) => [originalKey(id), rowsKey(id, dialect)]),
  );
  const orphans = keys.filter((key) => !named.has(key));
  return { known: keys.length - orphans.length, orphans };
}

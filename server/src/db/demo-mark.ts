import type { Config } from '../config/config.ts';
import { StartRefused } from '../lib/start-refused.ts';
import type { Db } from './transaction.ts';

/**
 * Marks the database of a demo before it has people. Other installations refuse a marked one, and a
 * demo refuses people without a mark: it would add people with public passwords.
 */
export async function checkDemoMark(
  db: Db,
  { demo, database, dataDirectory }: Pick<Config, 'demo' | 'database' | 'dataDirectory'>,
): Promise<void> {
  const isMarked = (await db.selectFrom('demo_mark').select('id').executeTakeFirst()) !== undefined;
  if (isMarked === demo) return;
  const [place, setting] =
    database.kind === 'embedded'
      ? [dataDirectory, 'DATA_DIR']
      : ['The database of DATABASE_URL', 'DATABASE_URL'];
  if (isMarked)
    throw new StartRefused(
      `${place} holds a demo with public passwords, and DEMO, NODE_ENV, HOST or PUBLIC_URL say that this is no demo. Set ${setting} to a new, empty place.`,
    );
  if (await db.selectFrom('users').select('id').executeTakeFirst())
    throw new StartRefused(
      `${place} holds people of an installation that is no demo, and these settings would add people with public passwords. Set NODE_ENV=production or DEMO=off, or ${setting} to a new, empty place.`,
    );
  await db.insertInto('demo_mark').values({ id: 1 }).execute();
}

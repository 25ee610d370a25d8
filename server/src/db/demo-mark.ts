import type { Config } from '../config/config.ts';
import { StartRefused } from '../lib/start-refused.ts';
import type { Db } from './transaction.ts';

/** Marks the database of a demo before it has people. Other installations refuse a marked one. */
export async function checkDemoMark(
  db: Db,
  { demo, database, dataDirectory }: Pick<Config, 'demo' | 'database' | 'dataDirectory'>,
): Promise<void> {
  if (demo) {
    await db
      .insertInto('demo_mark')
      .values({ id: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  if (!(await db.selectFrom('demo_mark').select('id').executeTakeFirst())) return;
  const [place, setting] =
    database.kind === 'embedded'
      ? [dataDirectory, 'DATA_DIR']
      : ['The database of DATABASE_URL', 'DATABASE_URL'];
  throw new StartRefused(
    `${place} holds a demo with public passwords, and DEMO, NODE_ENV, HOST or PUBLIC_URL say that this is no demo. Set ${setting} to a new, empty place.`,
  );
}

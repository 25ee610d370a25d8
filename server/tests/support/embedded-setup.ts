import { migrateOnce } from '../../src/cli/migrate-once.ts';
import { makeEmptyDatabase } from '../../src/db/embedded/empty-database.ts';

/** Every server under test starts on a copy of the empty database. */
export default async function setup(): Promise<void> {
  await makeEmptyDatabase((directory) => migrateOnce({ DATA_DIR: directory }));
}

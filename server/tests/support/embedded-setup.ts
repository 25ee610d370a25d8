import { shareDemoData } from '../../harness/processes.ts';
import { migrateOnce } from '../../src/cli/migrate-once.ts';
import { makeEmptyDatabase } from '../../src/db/embedded/empty-database.ts';

/** Servers under test start on copies of the empty database, processes on copies of a demo's. */
export default async function setup(): Promise<void> {
  await makeEmptyDatabase((directory) => migrateOnce({ DATA_DIR: directory }));
  await shareDemoData();
}

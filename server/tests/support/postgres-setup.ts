import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startOwnPostgres } from '../../harness/own-postgres.ts';

/** Owns nothing, so that the policies of the database hold for it: the product works as this role in the journeys. */
const servingRole = 'rowmill_app';

/** One PostgreSQL for one run of the journeys; each world has a database of its own in it. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startOwnPostgres('-c', 'fsync=off', '-c', 'max_connections=200');
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create role ${servingRole} login password '${servingRole}'`);
  await client.end();
  project.provide('servingRole', servingRole);
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres[Symbol.asyncDispose]();
  };
}

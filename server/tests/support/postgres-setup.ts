import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startOwnPostgres } from '../../harness/own-postgres.ts';
import { migrateOnce } from '../../src/cli/migrate-once.ts';

const servingRole = 'rowmill_app';
const template = 'rowmill_template';
/** The data is deleted after the run, and no test is long enough to need a vacuum. */
const settings = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'max_connections=400'];

/** Starts one PostgreSQL per run and migrates one database. Every server gets a copy. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startOwnPostgres(...settings.flatMap((setting) => ['-c', setting]));
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create role ${servingRole} login password '${servingRole}'`);
  await client.query(`create database ${template}`);
  await client.end();
  await migrateTemplate(postgres.url);
  project.provide('servingRole', servingRole);
  project.provide('postgresTemplate', template);
  project.provide('postgresUrl', postgres.url);
  return async () => postgres[Symbol.asyncDispose]();
}

async function migrateTemplate(ownerUrl: string): Promise<void> {
  const [owner, serving] = [new URL(ownerUrl), new URL(ownerUrl)];
  owner.pathname = serving.pathname = `/${template}`;
  serving.username = serving.password = servingRole;
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-template-'));
  await migrateOnce({
    DATA_DIR: directory,
    DATABASE_URL: serving.href,
    DATABASE_OWNER_URL: owner.href,
  });
  rmSync(directory, { recursive: true, force: true });
}

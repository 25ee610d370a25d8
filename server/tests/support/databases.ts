import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** A migrated database on that server. */
    postgresTemplate: string;
    /** A role that owns nothing, so that row-level security applies to it. Also its password. */
    servingRole: string;
  }
}

export const isPostgres = process.env.ROWMILL_TEST_DATABASE === 'postgres';

/** A migrated database with a role that owns nothing, as `docs/operating.md` recommends. */
export async function createServingDatabase(): Promise<Record<string, string>> {
  const ownerUrl = await createPostgresDatabase(inject('postgresTemplate'));
  return { DATABASE_URL: asServingRole(ownerUrl), DATABASE_OWNER_URL: ownerUrl };
}

function asServingRole(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = inject('servingRole');
  url.password = inject('servingRole');
  return url.href;
}

/** Without a template the database is empty. */
export async function createPostgresDatabase(template?: string, options = ''): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${Math.random().toString(36).slice(2)}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  // The default strategy writes each page to the log as well.
  await client.query(
    `create database ${name} ${template ? `template ${template} strategy file_copy` : ''} ${options}`,
  );
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}

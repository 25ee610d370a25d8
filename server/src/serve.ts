import { startApp } from './app.ts';
import { parseConfig } from './config/config.ts';
import { readEnvironment } from './config/env.ts';
import { assertEnoughOpenFiles } from './config/open-files.ts';
import { ConfigRefused } from './config/problems.ts';
import { DemoDataRefused } from './db/demo-mark.ts';
import { DataDirectoryDamaged } from './db/embedded/data-directory.ts';
import { DataDirectoryInUse } from './db/embedded/data-lock.ts';
import { DiskTooFull, diskFullExitCode } from './db/embedded/embedded-database.ts';
import { NewerDatabase } from './db/migrate.ts';
import { demoPeople } from './demo/demo-people.ts';

/** A shutdown that takes longer is cut off; orchestrators usually kill after 30 s. */
const shutdownMilliseconds = 25_000;

try {
  const config = parseConfig(readEnvironment());
  assertEnoughOpenFiles(config);
  const app = await startApp(config);
  announce(config.http.port === 0 ? app.url : config.http.publicUrl, config.demo);
  stopOnSignal(app);
} catch (error) {
  const isExpected =
    error instanceof ConfigRefused ||
    error instanceof DataDirectoryInUse ||
    error instanceof DataDirectoryDamaged ||
    error instanceof DemoDataRefused ||
    error instanceof DiskTooFull ||
    error instanceof NewerDatabase;
  process.stderr.write(`${isExpected ? error.message : describe(error)}\n`);
  process.exit(exitCodeOf(error));
}

function exitCodeOf(error: unknown): number {
  if (error instanceof DataDirectoryInUse) return 1;
  return error instanceof DiskTooFull ? diskFullExitCode : 2;
}

function stopOnSignal(app: AsyncDisposable): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), shutdownMilliseconds).unref();
    app[Symbol.asyncDispose]().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`Rowmill did not stop cleanly: ${describe(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function announce(address: string, isDemo: boolean): void {
  const people = demoPeople.map(
    ({ email, password, role }) => `  ${email.padEnd(20)} ${password}   ${role}`,
  );
  const demo = isDemo
    ? [
        '',
        'This is a demo. You can sign in as:',
        ...people,
        `Its emails are at ${address}/dev/mail`,
      ]
    : [];
  process.stdout.write(`${[`Rowmill is ready at ${address}`, ...demo].join('\n')}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

import type { Context } from './core/context.ts';
import { knowsMigration, lastMigrationOf } from './db/migrate.ts';

const checkMilliseconds = 2_000;

/**
 * Whether a newer version has migrated the database while this process runs. An outdated process
 * must take no more work, because it does not know what the migration changed.
 */
export class VersionWatch implements Disposable {
  readonly #ctx: Pick<Context, 'db' | 'log'>;
  readonly #timer: NodeJS.Timeout;
  /** Stops the rows and jobs of this process. */
  readonly #stopWork: () => Promise<unknown>;
  isOutdated = false;

  constructor(ctx: Pick<Context, 'db' | 'log'>, stopWork: () => Promise<unknown>) {
    this.#ctx = ctx;
    this.#stopWork = stopWork;
    this.#timer = setInterval(() => void this.#check(), checkMilliseconds);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    const { db, log } = this.#ctx;
    // While the database cannot be reached, nothing can be leased either.
    const migration = await lastMigrationOf(db).catch(() => null);
    if (this.isOutdated || migration === null || knowsMigration(migration)) return;
    this.isOutdated = true;
    this[Symbol.dispose]();
    log.error(
      { migration },
      'a newer version has migrated the database: this process takes no more rows and jobs and is not ready; stop it',
    );
    await this.#stopWork().catch((error) => log.error({ err: error }, 'could not stop the work'));
  }
}

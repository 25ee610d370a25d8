import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Email, MailTransport, OutboxEmail } from '../domains/notifications/port.ts';
import type { Clock } from '../lib/clock.ts';
import { absentAs } from '../lib/failed-work.ts';
import { newId } from '../lib/ids.ts';

/** The outbox is for trying out the product, not an archive. */
const maximumEmails = 200;

/**
 * Stores emails as files when no mail server is configured. Their links open accounts, so no copy
 * of the database may contain them.
 */
export class OutboxMail implements MailTransport {
  readonly #directory: string;
  readonly #clock: Clock;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  async send(email: Email): Promise<void> {
    const now = this.#clock.now();
    const id = newId(now);
    const file = join(this.#directory, `${id}.json`);
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await writeFile(`${file}.part`, JSON.stringify({ ...email, id, sentAt: now.toISOString() }), {
      mode: 0o600,
    });
    await rename(`${file}.part`, file);
    const files = await this.#files();
    await Promise.all(
      files.slice(maximumEmails).map((old) => rm(join(this.#directory, old), { force: true })),
    );
  }

  async check(): Promise<void> {}

  /** Newest first. */
  async list(): Promise<OutboxEmail[]> {
    const files = await this.#files();
    // A new email may delete the oldest file meanwhile.
    const read = (file: string) => absentAs(null, readFile(join(this.#directory, file), 'utf8'));
    const texts = await Promise.all(files.slice(0, maximumEmails).map(read));
    return texts.filter((text) => text !== null).map((text) => JSON.parse(text) as OutboxEmail);
  }

  async close(): Promise<void> {}

  async #files(): Promise<string[]> {
    const names = await absentAs([], readdir(this.#directory));
    return names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .reverse();
  }
}

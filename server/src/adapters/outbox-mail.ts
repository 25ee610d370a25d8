import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptMail, Mail, MailTransport } from '../domains/notifications/port.ts';
import { absentAs } from '../lib/absent-as.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';

/** Only so many are kept: the outbox is for trying the product out, not an archive. */
const kept = 200;

/**
 * Where mails wait when no mail server is configured. They are files, not records: the links in them open accounts, and
 * a copy of the database must never hold one.
 */
export class OutboxMail implements MailTransport {
  readonly #directory: string;
  readonly #clock: Clock;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  async send(mail: Mail): Promise<void> {
    const now = this.#clock.now();
    const id = newId(now);
    const file = join(this.#directory, `${id}.json`);
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await writeFile(`${file}.part`, JSON.stringify({ ...mail, id, sentAt: now.toISOString() }), {
      mode: 0o600,
    });
    await rename(`${file}.part`, file);
    const files = await this.#files();
    await Promise.all(
      files.slice(kept).map((old) => rm(join(this.#directory, old), { force: true })),
    );
  }

  /** The newest first. */
  async list(): Promise<KeptMail[]> {
    const files = await this.#files();
    // The oldest may go meanwhile, when a new one comes.
    const read = (file: string) => absentAs(null, readFile(join(this.#directory, file), 'utf8'));
    const texts = await Promise.all(files.slice(0, kept).map(read));
    return texts.filter((text) => text !== null).map((text) => JSON.parse(text) as KeptMail);
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

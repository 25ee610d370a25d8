import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { refuse } from '../core/refusal.ts';
import type { PasswordHasher } from '../domains/identity/port.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
/** Two at a time leave CPU for other requests; fifty waiting take about two seconds. */
const maximumRunning = 2;
const maximumWaiting = 50;

const derive = promisify(argon2);

export class Argon2Passwords implements PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #dummyHash = encode(randomBytes(16), randomBytes(32));

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    return encode(salt, await this.#limit(() => deriveTag(password, salt)));
  }

  async isRight(password: string, hash: string | null): Promise<boolean> {
    const { salt, tag } = decode(hash ?? this.#dummyHash);
    const given = await this.#limit(() => deriveTag(password, salt));
    return timingSafeEqual(given, tag) && hash !== null;
  }

  async #limit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= maximumRunning) {
      if (this.#waiting.length >= maximumWaiting) refuse('busy', { retryAfterSeconds: 2 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // `#running` stays, so that a new call cannot overtake the one that is waiting.
      if (next) next();
      else this.#running--;
    }
  }
}

function deriveTag(password: string, salt: Buffer): Promise<Buffer> {
  return derive('argon2id', { message: Buffer.from(password, 'utf8'), nonce: salt, ...cost });
}

function encode(salt: Buffer, tag: Buffer): string {
  const parts = [
    `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`,
    salt.toString('base64url'),
    tag.toString('base64url'),
  ];
  return `$argon2id$v=19$${parts.join('$')}`;
}

function decode(hash: string): { salt: Buffer; tag: Buffer } {
  const [, , , , salt = '', tag = ''] = hash.split('$');
  return { salt: Buffer.from(salt, 'base64url'), tag: Buffer.from(tag, 'base64url') };
}

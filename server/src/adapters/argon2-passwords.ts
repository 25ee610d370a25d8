import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { PasswordHasher } from '../domains/identity/port.ts';
import { refuse } from '../refusal.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
/** Two at a time leave a core for everybody else; fifty waiting are about two seconds. */
const atOnce = 2;
const waitingAtMost = 50;

const derive = promisify(argon2);

export class Argon2Passwords implements PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #nobody = encode(randomBytes(16), randomBytes(32));

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    return encode(salt, await this.#inTurn(() => tagOf(password, salt)));
  }

  async isRight(password: string, hash: string | null): Promise<boolean> {
    const { salt, tag } = decode(hash ?? this.#nobody);
    const given = await this.#inTurn(() => tagOf(password, salt));
    return timingSafeEqual(given, tag) && hash !== null;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= atOnce) {
      if (this.#waiting.length >= waitingAtMost) refuse('busy', { retryAfterSeconds: 2 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place is handed on, so that nobody who comes meanwhile takes it.
      if (next) next();
      else this.#running--;
    }
  }
}

function tagOf(password: string, salt: Buffer): Promise<Buffer> {
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

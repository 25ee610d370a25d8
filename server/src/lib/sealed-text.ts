import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const form = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals texts for the database. `owner` is sealed in: a text copied to another row does not open. A
 * part of the key's hash distinguishes a text of another key from a damaged one.
 */
export class Sealer {
  readonly #key: Buffer;
  readonly #keyName: string;

  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'rowmill sealed text', 32));
    this.#keyName = createHash('sha256').update(this.#key).digest('hex').slice(0, 8);
  }

  seal(text: string, owner: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    return [form, this.#keyName, bytes].join('.');
  }

  /** Null: sealed with another key, for another owner, or damaged. */
  open(sealedText: string, owner: string): string | null {
    const [foundForm, keyName, text = ''] = sealedText.split('.');
    if (foundForm !== form || keyName !== this.#keyName) return null;
    const bytes = Buffer.from(text, 'base64');
    const body = nonceBytes + tagBytes;
    if (bytes.length < body) return null;
    try {
      const nonce = bytes.subarray(0, nonceBytes);
      const decipher = createDecipheriv(algorithm, this.#key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(owner));
      decipher.setAuthTag(bytes.subarray(nonceBytes, body));
      return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]).toString();
    } catch {
      return null;
    }
  }
}

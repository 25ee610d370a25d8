import { createHash, randomBytes } from 'node:crypto';

/** Counts the ids of a millisecond. */
const latest = { at: 0, count: 0 };

/** A version 7 UUID, which sorts by creation: in this process up to 4,096 a millisecond. */
export function newId(now: Date): string {
  const at = now.getTime();
  latest.count = at === latest.at ? (latest.count + 1) & 0xfff : 0;
  latest.at = at;
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt16BE(0x7000 | latest.count, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isId(text: string): boolean {
  return idPattern.test(text);
}

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a secret. A plain hash is enough for 256 random bits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

interface Signed {
  bytes: Buffer;
  key: { id: string; secret: string };
}

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[\w-]+\/s3\/aws4_request), ?SignedHeaders=([\w;-]+), ?Signature=([\da-f]{64})$/;

/** Checks the signature of a request and its body under the key (AWS Signature Version 4). */
export function isSigned(
  { method, headers }: IncomingMessage,
  url: URL,
  { bytes, key }: Signed,
): boolean {
  const [, id, scope = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? [];
  const digest = String(headers['x-amz-content-sha256']);
  // Streamed bodies have no digest, so that files are not read twice; their length is signed.
  if (id !== key.id || (digest !== sha256(bytes) && digest !== 'UNSIGNED-PAYLOAD')) return false;
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted();
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const request = [method, url.pathname, query.join('&'), lines.join(''), names, digest].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n');
  const signingKey = scope
    .split('/')
    .reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${key.secret}`);
  return signature === hmac(signingKey, text).toString('hex');
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** RFC 3986, which encodes more than encodeURIComponent. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

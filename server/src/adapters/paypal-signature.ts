import { createVerify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type EventMessage, EventRefused } from '../domains/billing/port.ts';

interface Expected {
  webhookId: string;
  /** Whose certificates count, besides PayPal's own hosts: the address that the product itself calls. */
  apiBase: string;
}

const ownHosts = [
  'https://api.paypal.com',
  'https://api.sandbox.paypal.com',
  'https://api-m.paypal.com',
  'https://api-m.sandbox.paypal.com',
];
const certificateTimeoutMilliseconds = 5_000;
const certificateBytesAtMost = 20_000;

/**
 * Proves that a message is PayPal's: its signature is over the id of the transmission, its time, our webhook and the
 * checksum of the body, by the key of a certificate that PayPal serves. A message that names a certificate elsewhere is
 * refused before anything is fetched; a redirect leads elsewhere, too.
 */
export function paypalSignatures({
  webhookId,
  apiBase,
}: Expected): (message: EventMessage) => Promise<void> {
  const hosts = new Set([...ownHosts, new URL(apiBase).origin]);
  const certificates = new Map<string, Promise<X509Certificate>>();
  const fetched = (address: string) => {
    const known = certificates.get(address) ?? fetchCertificate(address);
    certificates.set(address, known);
    known.catch(() => certificates.delete(address));
    return known;
  };
  return async ({ body, headers }) => {
    const header = (name: string) => String(headers[`paypal-${name}`] ?? '');
    const address = header('cert-url');
    if (!URL.canParse(address) || !hosts.has(new URL(address).origin))
      throw new EventRefused('a certificate of somebody else');
    if (header('auth-algo').toUpperCase() !== 'SHA256WITHRSA')
      throw new EventRefused('an unknown way to sign');
    const certificate = await fetched(address);
    const signed = [
      header('transmission-id'),
      header('transmission-time'),
      webhookId,
      crc32(body),
    ].join('|');
    const isSigned = createVerify('sha256')
      .update(signed)
      .verify(certificate.publicKey, header('transmission-sig'), 'base64');
    if (!isSigned) throw new EventRefused('the signature does not fit');
  };
}

async function fetchCertificate(address: string): Promise<X509Certificate> {
  try {
    const signal = AbortSignal.timeout(certificateTimeoutMilliseconds);
    const response = await fetch(address, { redirect: 'error', signal });
    const text = await response.text();
    if (!response.ok || text.length > certificateBytesAtMost)
      throw new Error(`the certificate's address answers ${response.status}`);
    const certificate = new X509Certificate(text);
    if (Date.parse(certificate.validTo) < Date.now())
      throw new Error('the certificate has expired');
    return certificate;
  } catch (cause) {
    throw new EventRefused('the certificate cannot be had', { cause });
  }
}

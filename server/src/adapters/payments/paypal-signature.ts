import { createVerify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type EventMessage, EventRefused } from '../../domains/billing/port.ts';
import { minute } from '../../lib/clock.ts';
import { LruCache } from '../../lib/lru-cache.ts';

interface Expected {
  webhookId: string;
  /** Its certificates are trusted besides those of PayPal's own hosts, for tests and the demo. */
  apiBase: string;
}

const ownHosts = [
  'https://api.paypal.com',
  'https://api.sandbox.paypal.com',
  'https://api-m.paypal.com',
  'https://api-m.sandbox.paypal.com',
];
const certificatePath = /^\/v1\/notifications\/certs\/[\w-]{1,100}$/;
/** PayPal changes its certificate once in years. Forged events name new ones, for free. */
const fetchesPerMinute = { perNetwork: 10, all: 200 };
const certificateTimeoutMilliseconds = 5_000;
const certificateMaxBytes = 20_000;

/**
 * Verifies that PayPal sent a message. The signature covers transmission id, time, our webhook id
 * and the body's checksum. The certificate must come from a PayPal host, without redirects.
 */
export function paypalSignatures({
  webhookId,
  apiBase,
}: Expected): (message: EventMessage) => Promise<void> {
  const hosts = new Set([...ownHosts, new URL(apiBase).origin]);
  const certificates = new LruCache<X509Certificate>({ entries: 10, size: 10 }, () => 1);
  const fetches = { all: 0, by: new Map<string, number>(), since: 0 };
  /** Events that arrive together wait for the same fetch. */
  const pending = new Map<string, Promise<X509Certificate>>();
  const countFetch = (network: string) => {
    if (performance.now() - fetches.since > minute)
      Object.assign(fetches, { all: 0, by: new Map(), since: performance.now() });
    const own = fetches.by.get(network) ?? 0;
    // PayPal sends a real event again, and the reconciler does not need it.
    if (own >= fetchesPerMinute.perNetwork || fetches.all >= fetchesPerMinute.all)
      throw new EventRefused('too many certificates were fetched in this minute');
    fetches.all++;
    fetches.by.set(network, own + 1);
  };
  const fetchOnce = async (address: string, network: string) => {
    countFetch(network);
    const certificate = await fetchCertificate(address);
    certificates.set(address, certificate);
    return certificate;
  };
  const certificateAt = (address: string, network: string) => {
    const known = certificates.get(address) ?? pending.get(address);
    if (known) return known;
    const fetched = fetchOnce(address, network).finally(() => pending.delete(address));
    pending.set(address, fetched);
    return fetched;
  };
  return async ({ body, headers, network }) => {
    const header = (name: string) => String(headers[`paypal-${name}`] ?? '');
    const { origin, pathname } = URL.parse(header('cert-url')) ?? {};
    if (!origin || !pathname || !hosts.has(origin) || !certificatePath.test(pathname))
      throw new EventRefused('the certificate is not from PayPal');
    if (header('auth-algo').toUpperCase() !== 'SHA256WITHRSA')
      throw new EventRefused('unknown signature algorithm');
    const certificate = await certificateAt(origin + pathname, network);
    const signed = [
      header('transmission-id'),
      header('transmission-time'),
      webhookId,
      crc32(body),
    ].join('|');
    const isSigned = createVerify('sha256')
      .update(signed)
      .verify(certificate.publicKey, header('transmission-sig'), 'base64');
    if (!isSigned) throw new EventRefused('the signature does not match');
  };
}

async function fetchCertificate(address: string): Promise<X509Certificate> {
  try {
    const signal = AbortSignal.timeout(certificateTimeoutMilliseconds);
    const response = await fetch(address, { redirect: 'error', signal });
    const text = await response.text();
    if (!response.ok || text.length > certificateMaxBytes)
      throw new Error(`the certificate's host answered ${response.status}`);
    const certificate = new X509Certificate(text);
    if (Date.parse(certificate.validTo) < Date.now())
      throw new Error('the certificate has expired');
    return certificate;
  } catch (cause) {
    throw new EventRefused('the certificate could not be fetched', { cause });
  }
}

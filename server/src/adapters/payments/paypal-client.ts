import { PaymentRefused, ProviderUnavailable } from '../../domains/billing/port.ts';
import { paypalRefused } from '../../texts/billing.ts';

export interface PaypalOptions {
  clientId: string;
  clientSecret: string;
  webhookId: string;
  apiBase: string;
}

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  /** PayPal's idempotency key. */
  requestId?: string;
}

export interface PaypalAnswer {
  status: number;
  body: unknown;
}

export type PaypalClient = (call: Call) => Promise<PaypalAnswer>;

const timeoutMilliseconds = 20_000;
/** Tokens are renewed this long before they expire. */
const renewalMilliseconds = 60_000;
/** PayPal repeats a token until it expires, also in its last minute. */
const leastMilliseconds = 1_000;

/** Calls PayPal with a cached access token. Returns refusals; outages throw ProviderUnavailable. */
export function paypalClient({ clientId, clientSecret, apiBase }: PaypalOptions): PaypalClient {
  let token: Promise<{ value: string; validUntil: number }> | null = null;
  const fetchToken = async () => {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const headers = {
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const { status, body } = await send(`${apiBase}/v1/oauth2/token`, {
      method: 'POST',
      headers,
      body: 'grant_type=client_credentials',
    });
    if (status !== 200) throw new ProviderUnavailable(`PayPal returned no token (${status})`);
    const { access_token: value, expires_in: seconds = 0 } = body as {
      access_token: string;
      expires_in?: number;
    };
    const milliseconds = Math.max(leastMilliseconds, seconds * 1000 - renewalMilliseconds);
    return { value, validUntil: Date.now() + milliseconds };
  };
  const currentToken = async (): Promise<string> => {
    token ??= fetchToken();
    const present = await token.catch((error) => {
      token = null;
      throw error;
    });
    if (present.validUntil > Date.now()) return present.value;
    token = null;
    return currentToken();
  };
  const attempt = async ({ method, path, body, requestId }: Call): Promise<PaypalAnswer> =>
    send(apiBase + path, {
      method,
      headers: {
        authorization: `Bearer ${await currentToken()}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
        ...(requestId ? { 'paypal-request-id': requestId } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  return async (call) => {
    const first = await attempt(call);
    if (first.status !== 401) return first;
    token = null;
    return attempt(call);
  };
}

async function send(address: string, init: RequestInit): Promise<PaypalAnswer> {
  try {
    const response = await fetch(address, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const text = await response.text();
    if (response.status >= 500 || response.status === 429)
      throw new Error(`PayPal answer ${response.status}`);
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  } catch (cause) {
    throw new ProviderUnavailable('PayPal gave no usable answer', { cause });
  }
}

/** PayPal's code for the reason of a refusal. */
export function issueOf({ body }: PaypalAnswer): string {
  const { details, name } = body as { details?: { issue?: string }[]; name?: string };
  return details?.[0]?.issue ?? name ?? '';
}

/** A conflict ends by itself: PayPal is still working on an earlier call. */
export function refusedBy(answer: PaypalAnswer): PaymentRefused | ProviderUnavailable {
  if (answer.status === 409) return new ProviderUnavailable('PayPal works on an earlier call');
  const { details, message } = answer.body as {
    details?: { description?: string }[];
    message?: string;
  };
  return new PaymentRefused(details?.[0]?.description ?? message ?? paypalRefused);
}

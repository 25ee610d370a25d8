import { PaymentRefused, ProviderUnavailable } from '../domains/billing/port.ts';

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
  /** The same id makes the same thing once. */
  requestId?: string;
}

export interface Answered {
  status: number;
  body: unknown;
}

export type PaypalClient = (call: Call) => Promise<Answered>;

const timeoutMilliseconds = 20_000;
/** A token that is about to end would end on the way. */
const spareMilliseconds = 60_000;

/** PayPal's HTTP: a token for the application, kept while it is good, and answers as values. What is not PayPal's fault throws. */
export function paypalClient({ clientId, clientSecret, apiBase }: PaypalOptions): PaypalClient {
  let token: Promise<{ value: string; goodUntil: number }> | null = null;
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
    if (status !== 200) throw new ProviderUnavailable(`PayPal gives no token (${status})`);
    const { access_token: value, expires_in: seconds } = body as {
      access_token: string;
      expires_in: number;
    };
    return { value, goodUntil: Date.now() + seconds * 1000 - spareMilliseconds };
  };
  const tokenNow = async (): Promise<string> => {
    token ??= fetchToken();
    const present = await token.catch((error) => {
      token = null;
      throw error;
    });
    if (present.goodUntil > Date.now()) return present.value;
    token = null;
    return tokenNow();
  };
  const attempt = async ({ method, path, body, requestId }: Call): Promise<Answered> =>
    send(apiBase + path, {
      method,
      headers: {
        authorization: `Bearer ${await tokenNow()}`,
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

async function send(address: string, init: RequestInit): Promise<Answered> {
  try {
    const response = await fetch(address, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const text = await response.text();
    if (response.status >= 500 || response.status === 429)
      throw new Error(`PayPal answers ${response.status}`);
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  } catch (cause) {
    throw new ProviderUnavailable('PayPal does not answer as it should', { cause });
  }
}

/** What PayPal names as the reason of a refusal. */
export function issueOf({ body }: Answered): string {
  const { details, name } = body as { details?: { issue?: string }[]; name?: string };
  return details?.[0]?.issue ?? name ?? '';
}

export function refusedBy(answered: Answered): PaymentRefused {
  const { details, message } = answered.body as {
    details?: { description?: string }[];
    message?: string;
  };
  return new PaymentRefused(details?.[0]?.description ?? message ?? 'PayPal refuses this payment.');
}

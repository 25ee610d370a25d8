import { createHmac } from 'node:crypto';
import { testCardRequest } from '@rowmill/contract';
import { type ReceivedCall, type Reply, serveProvider, withSender } from '../provider-server.ts';
import { asText, gonePage, stylePage, testPage } from '../test-page.ts';
import { type Message, WebhookSender } from '../webhook-sender.ts';
import { cards, type Delays, type FakeAccount } from './cards.ts';
import { type Intent, Intents, newRef, type Subject } from './intents.ts';

export interface FakeStripeOptions extends Partial<Delays> {
  port?: number;
  secretKey?: string;
  webhookSecret: string;
  /** The pages in the browser, if not at the fake's own address. A path is one of the shop. */
  pages?: string;
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

/**
 * Serves payment intents, refunds, disputes and the test form to Stripe's library, and signed
 * events.
 */
export async function startFakeStripe(options: FakeStripeOptions) {
  const { port = 0, secretKey = null, webhookSecret } = options;
  const {
    pendingMilliseconds = 5_000,
    lateMilliseconds = 10_000,
    afterwardsMilliseconds = 3_000,
  } = options;
  const sender = new WebhookSender();
  /** Every event, sent or not. */
  const events: Message[] = [];
  /** Stripe's signature header for a body, at a time in seconds. */
  const sign = (body: string, at = Math.floor(Date.now() / 1000), secret = webhookSecret) =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
  const emitWith: FakeAccount['emitWith'] = (delivery) => (type, subject) => {
    const event = eventOf(type, subject, sign);
    events.push(event);
    sender.send(event, delivery);
  };
  const intents = new Intents(emitWith({}));
  const account: FakeAccount = {
    intents,
    sender,
    emitWith,
    delays: { pendingMilliseconds, lateMilliseconds, afterwardsMilliseconds },
  };
  const idempotent = new Map<string, { body: string; reply: Reply }>();
  const server = await serveProvider(port, (call, own) => {
    const page = pageFor(account, call, options.pages ?? own.url);
    if (page) return page;
    if (secretKey && call.headers.authorization !== `Bearer ${secretKey}`)
      return refusal(401, 'Invalid API Key provided');
    return withKey(idempotent, call, () => answerApi(intents, call));
  });
  /** With which the product uses it. */
  const settings = {
    STRIPE_SECRET_KEY: secretKey ?? '',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_fake',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: server.url,
  };
  return { ...withSender(server, sender), intents, events, sign, settings };
}

/** Repeats the first answer to a key, faults too, and refuses the key with another body. */
function withKey(
  known: Map<string, { body: string; reply: Reply }>,
  call: ReceivedCall,
  answer: () => Reply,
): Reply {
  const key = call.headers['idempotency-key'];
  if (call.method !== 'POST' || typeof key !== 'string') return answer();
  const earlier = known.get(key);
  if (earlier && earlier.body !== call.body)
    return refusal(
      400,
      'Keys for idempotent requests can only be used with the same parameters.',
      'idempotency_error',
    );
  if (earlier) {
    const headers = { ...earlier.reply.headers, 'idempotent-replayed': 'true' };
    return { ...earlier.reply, headers };
  }
  const reply = answer();
  known.set(key, { body: call.body, reply });
  return reply;
}

function answerApi(intents: Intents, { method, path, body, query }: ReceivedCall): Reply {
  const at = `${method} ${path}`;
  if (at === 'POST /v1/payment_intents' && intents.isBroken)
    return {
      ...refusal(500, 'An unknown error occurred', 'api_error'),
      headers: { 'stripe-should-retry': 'false' },
    };
  if (at === 'POST /v1/payment_intents')
    return ok(intents.create(parseIntent(new URLSearchParams(body))));
  if (at === 'POST /v1/refunds') return refund(intents, new URLSearchParams(body));
  const about = query.get('payment_intent');
  if (at === 'GET /v1/refunds')
    return list(intents.refunds.filter(({ payment_intent }) => payment_intent === about));
  if (at === 'GET /v1/disputes')
    return list(intents.disputes.filter(({ payment_intent }) => payment_intent === about));
  const [, id = ''] = /^GET \/v1\/payment_intents\/(\w+)$/.exec(at) ?? [];
  const intent = intents.all.get(id);
  return intent
    ? ok(intent)
    : refusal(404, `No such payment_intent: '${id}'`, 'invalid_request_error', 'resource_missing');
}

function refund(intents: Intents, form: URLSearchParams): Reply {
  const intent = intents.all.get(form.get('payment_intent') ?? '');
  const amount = Number(form.get('amount'));
  if (!intent)
    return refusal(404, 'No such payment_intent', 'invalid_request_error', 'resource_missing');
  if (intents.refundRefusal) return refusal(400, intents.refundRefusal);
  if (amount > intents.refundable(intent))
    return refusal(
      400,
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${intents.refundable(intent)})`,
    );
  return ok(intents.refund(intent.id, amount));
}

function parseIntent(
  form: URLSearchParams,
): Pick<Intent, 'amount' | 'currency' | 'description' | 'metadata'> {
  const metadata = [...form].flatMap(([name, value]) => {
    const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
    return key ? [[key, value]] : [];
  });
  const { amount = '0', currency = 'gbp', description = null } = Object.fromEntries(form);
  return { amount: Number(amount), currency, description, metadata: Object.fromEntries(metadata) };
}

function pageFor(
  account: FakeAccount,
  { method, path, query, headers, body }: ReceivedCall,
  pages: string,
): Reply | null {
  const at = `${method} ${path}`;
  if (at === 'GET /style.css') return stylePage;
  const site = `http://${headers['x-forwarded-host'] ?? headers.host}`;
  if (at === 'POST /pay') return payByForm(account, body, new URL(pages, site).href);
  if (path !== '/challenge') return null;
  const form = method === 'POST' ? new URLSearchParams(body) : query;
  const intent = account.intents.find(form.get('payment') ?? '');
  if (!intent) return gonePage;
  return method === 'POST' ? endChallenge(account, intent, form) : challenge(intent, form);
}

function payByForm(account: FakeAccount, body: string, pages: string): Reply {
  const parsed = testCardRequest.safeParse(JSON.parse(body || '{}'));
  const card = parsed.success ? cards[parsed.data.number.replace(/\s/g, '')] : undefined;
  if (!parsed.success || !card)
    return { status: 422, body: { status: false, message: 'Enter one of the test cards.' } };
  const { client_secret, return_path } = parsed.data;
  const intent = [...account.intents.all.values()].find(
    (known) => known.client_secret === client_secret,
  );
  if (!intent || !['requires_payment_method', 'requires_action'].includes(intent.status))
    return {
      status: 422,
      body: { status: false, message: 'This payment can no longer be paid.' },
    };
  const answer = card(account, intent);
  if (answer.outcome !== 'requires_action') return ok(answer);
  const to = new URLSearchParams({ payment: client_secret, return_path });
  return ok({ ...answer, next_url: `${pages}/challenge?${to}` });
}

function challenge({ amount, currency }: Intent, query: URLSearchParams): Reply {
  const { payment = '', return_path = '/' } = Object.fromEntries(query);
  const hidden = Object.entries({ payment, return_path }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${asText(value)}">`,
  );
  const form = `<form method="post" action="challenge">${hidden.join('')}
<button class="main" name="answer" value="yes">Approve</button><button name="answer" value="no">Refuse</button></form>`;
  const lead = `Your bank asks you to approve a payment of ${currency.toUpperCase()} ${(amount / 100).toFixed(2)}.`;
  return { status: 200, body: testPage({ title: 'Approve this payment', lead, form }) };
}

function endChallenge({ intents }: FakeAccount, intent: Intent, form: URLSearchParams): Reply {
  const { return_path = '/', answer } = Object.fromEntries(form);
  if (answer === 'yes') intents.succeed(intent);
  else
    intents.decline(
      intent,
      'payment_intent_authentication_failure',
      'The bank could not approve this payment.',
    );
  const back = /^\/(?!\/)/.test(return_path) ? return_path : '/';
  const location = `${back}${back.includes('?') ? '&' : '?'}order_id=${intent.metadata.order_id ?? ''}`;
  return { status: 303, body: '', headers: { location } };
}

function eventOf(type: string, subject: Subject, sign: (body: string) => string): Message {
  const id = newRef('evt');
  const event = {
    id,
    object: 'event',
    api_version: null,
    created: Math.floor(Date.now() / 1000),
    type,
    livemode: false,
  };
  const body = JSON.stringify(
    { ...event, pending_webhooks: 1, data: { object: subject } },
    null,
    2,
  );
  return { id, body, headersFor: (text) => ({ 'stripe-signature': sign(text) }) };
}

const ok = (body: object): Reply => ({ status: 200, body });
const list = (data: object[]): Reply => ok({ object: 'list', data, has_more: false });
const refusal = (
  status: number,
  message: string,
  type = 'invalid_request_error',
  code?: string,
): Reply => ({
  status,
  body: { error: { type, message, ...(code ? { code } : {}) } },
});

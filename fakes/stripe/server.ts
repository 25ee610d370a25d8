import { createHmac } from 'node:crypto';
import { testCardRequest } from '@rowmill/contract';
import {
  type Asked,
  type ProviderServer,
  type Reply,
  serveProvider,
  withSender,
} from '../provider-server.ts';
import { asText, testPage, testPageStyle } from '../test-page.ts';
import { type Message, WebhookSender } from '../webhook-sender.ts';
import { cards, type Pace, type Till } from './cards.ts';
import { type Intent, Intents, newRef, type Subject } from './intents.ts';

export interface FakeStripeOptions extends Partial<Pace> {
  port?: number;
  secretKey?: string;
  webhookSecret: string;
  /** Under which address people see the pages, where that is not the fake's own. */
  pages?: string;
}

export interface FakeStripe extends ProviderServer {
  readonly sender: WebhookSender;
  readonly intents: Intents;
  /** Every event that has happened, whether it was sent or not. */
  readonly events: readonly Message[];
  /** A header of Stripe for a body, of the time in seconds. */
  sign(body: string, at?: number, secret?: string): string;
}

/** Payment intents, refunds and disputes as Stripe's own library asks for them, signed events, and a form's way to pay. */
export async function startFakeStripe(options: FakeStripeOptions): Promise<FakeStripe> {
  const { port = 0, secretKey = null, webhookSecret } = options;
  const {
    pendingMilliseconds = 5_000,
    lateMilliseconds = 10_000,
    afterwardsMilliseconds = 3_000,
  } = options;
  const sender = new WebhookSender();
  const events: Message[] = [];
  const sign = (body: string, at = Math.floor(Date.now() / 1000), secret = webhookSecret) =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
  const tellIn: Till['tellIn'] = (manner) => (type, subject) => {
    const event = eventOf(type, subject, sign);
    events.push(event);
    sender.send(event, manner);
  };
  const intents = new Intents(tellIn({}));
  const till: Till = {
    intents,
    sender,
    tellIn,
    pace: { pendingMilliseconds, lateMilliseconds, afterwardsMilliseconds },
  };
  const idempotent = new Map<string, { body: string; reply: Reply }>();
  const server = await serveProvider(port, (asked, own) => {
    const page = pageFor(till, asked, options.pages ?? own.url);
    if (page) return page;
    if (secretKey && asked.headers.authorization !== `Bearer ${secretKey}`)
      return refusal(401, 'Invalid API Key provided');
    return once(idempotent, asked, () => answerApi(intents, asked));
  });
  return { ...withSender(server, sender), intents, events, sign };
}

/** The same key gives the same answer, and with another body it is a mistake of the caller. */
function once(
  known: Map<string, { body: string; reply: Reply }>,
  asked: Asked,
  answer: () => Reply,
): Reply {
  const key = asked.headers['idempotency-key'];
  if (asked.method !== 'POST' || typeof key !== 'string') return answer();
  const earlier = known.get(key);
  if (earlier && earlier.body !== asked.body)
    return refusal(
      400,
      'Keys for idempotent requests can only be used with the same parameters.',
      'idempotency_error',
    );
  if (earlier) return earlier.reply;
  const reply = answer();
  if (reply.status < 500) known.set(key, { body: asked.body, reply });
  return reply;
}

function answerApi(intents: Intents, { method, path, body, query }: Asked): Reply {
  const at = `${method} ${path}`;
  if (at === 'POST /v1/payment_intents')
    return ok(intents.make(wantedIn(new URLSearchParams(body))));
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
  if (intents.noRefunds) return refusal(400, intents.noRefunds);
  if (amount > intents.leftOf(intent))
    return refusal(
      400,
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${intents.leftOf(intent)})`,
    );
  return ok(intents.refund(intent.id, amount));
}

function wantedIn(
  form: URLSearchParams,
): Pick<Intent, 'amount' | 'currency' | 'description' | 'metadata'> {
  const metadata = [...form].flatMap(([name, value]) => {
    const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
    return key ? [[key, value]] : [];
  });
  const { amount = '0', currency = 'gbp', description = null } = Object.fromEntries(form);
  return { amount: Number(amount), currency, description, metadata: Object.fromEntries(metadata) };
}

function pageFor(till: Till, { method, path, query, body }: Asked, pages: string): Reply | null {
  const at = `${method} ${path}`;
  if (at === 'GET /style.css')
    return {
      status: 200,
      body: testPageStyle,
      headers: { 'content-type': 'text/css; charset=utf-8' },
    };
  if (at === 'POST /pay') return payByForm(till, body, pages);
  if (at === 'GET /challenge') return challenge(till, query);
  if (at === 'POST /challenge') return endChallenge(till, new URLSearchParams(body));
  return null;
}

function payByForm(till: Till, body: string, pages: string): Reply {
  const parsed = testCardRequest.safeParse(JSON.parse(body || '{}'));
  const card = parsed.success ? cards[parsed.data.number.replace(/\s/g, '')] : undefined;
  if (!parsed.success || !card)
    return { status: 422, body: { status: false, message: 'Please enter one of the test cards.' } };
  const { client_secret, return_path } = parsed.data;
  const intent = [...till.intents.all.values()].find(
    (known) => known.client_secret === client_secret,
  );
  if (!intent || !['requires_payment_method', 'requires_action'].includes(intent.status))
    return {
      status: 422,
      body: { status: false, message: 'This payment cannot be paid any more.' },
    };
  const answer = card(till, intent);
  if (answer.outcome !== 'requires_action') return ok(answer);
  const to = new URLSearchParams({ payment: client_secret, return_path });
  return ok({ ...answer, next_url: `${pages}/challenge?${to}` });
}

function challenge({ intents }: Till, query: URLSearchParams): Reply {
  const { payment = '', return_path = '/' } = Object.fromEntries(query);
  const { amount, currency } = intents.get(payment);
  const hidden = Object.entries({ payment, return_path }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${asText(value)}">`,
  );
  const form = `<form method="post" action="challenge">${hidden.join('')}
<button class="main" name="answer" value="yes">Approve</button><button name="answer" value="no">Refuse</button></form>`;
  const lead = `Your bank asks whether you pay ${currency.toUpperCase()} ${(amount / 100).toFixed(2)}.`;
  return { status: 200, body: testPage({ title: 'Approve this payment', lead, form }) };
}

function endChallenge({ intents }: Till, form: URLSearchParams): Reply {
  const { payment = '', return_path = '/', answer } = Object.fromEntries(form);
  const intent = intents.get(payment);
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

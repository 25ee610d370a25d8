import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type ReceivedCall, type Reply, serveProvider, withSender } from '../provider-server.ts';
import { asText, gonePage, stylePage, testPage } from '../test-page.ts';
import { type Message, WebhookSender } from '../webhook-sender.ts';
import { makeSigner, type Signer } from './certificate.ts';
import {
  type EmitEvent,
  type Money,
  newId,
  type TestOutcome,
  testOutcomes,
  type WalletOrder,
  WalletOrders,
} from './orders.ts';

export interface FakePaypalOptions {
  port?: number;
  clientId: string;
  clientSecret: string;
  webhookId: string;
  /** The pages in the browser, if not at the fake's own address. A path is one of the shop. */
  pages?: string;
  slowMilliseconds?: number;
  /** How long the token is valid. */
  tokenSeconds?: number;
}

export type FakePaypal = Awaited<ReturnType<typeof startFakePaypal>>;

const certificatePath = '/v1/notifications/certs/CERT-fake';
/** Redirects to the certificate. The product must not follow it. */
const movedPath = '/v1/notifications/certs/CERT-moved';
const ownMerchant = 'FAKEMERCHANT1';

/**
 * Serves PayPal's orders, captures, refunds, disputes and approval page, and sends signed events.
 */
export async function startFakePaypal(options: FakePaypalOptions) {
  const { port = 0, clientId, clientSecret, webhookId, slowMilliseconds = 5_000 } = options;
  const { tokenSeconds = 32_400 } = options;
  const sender = new WebhookSender();
  const signer = makeSigner('messageverificationcerts.fake');
  const events: Message[] = [];
  let url = '';
  const emit: EmitEvent = (type, resource, delivery) => {
    const event = eventOf({
      type,
      resource,
      webhookId,
      signer,
      certificateUrl: url + certificatePath,
    });
    events.push(event);
    sender.send(event, delivery);
  };
  const orders = new WalletOrders(emit, {
    slowMilliseconds,
    later: (after, act) => sender.later(after, act),
  });
  const token = newId();
  const known = new Map<string, Reply>();
  const server = await serveProvider(port, (call, own) => {
    const pages = options.pages ?? own.url;
    if (call.path === certificatePath) return { status: 200, body: signer.pem };
    if (call.path === movedPath) return { status: 302, headers: { location: certificatePath } };
    const page = pageFor(orders, call);
    if (page) return page;
    if (call.path === '/v1/oauth2/token')
      return tokenFor(call, { clientId, clientSecret, token, tokenSeconds });
    if (call.headers.authorization !== `Bearer ${token}`)
      return refusal(401, 'AUTHENTICATION_FAILURE');
    if (orders.isBusy && call.method === 'POST')
      return refusal(409, 'PREVIOUS_REQUEST_IN_PROGRESS', 'A previous request is in progress.');
    return withRequestId(known, call, () => asPreferred(call, answerApi(orders, call, pages)));
  });
  url = server.url;
  const settings = {
    PAYPAL_CLIENT_ID: clientId,
    PAYPAL_CLIENT_SECRET: clientSecret,
    PAYPAL_WEBHOOK_ID: webhookId,
    PAYPAL_API_BASE: server.url,
  };
  return { ...withSender(server, sender), orders, events, settings };
}

function tokenFor(
  { headers }: ReceivedCall,
  {
    clientId,
    clientSecret,
    token,
    tokenSeconds,
  }: { clientId: string; clientSecret: string; token: string; tokenSeconds: number },
): Reply {
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  if (headers.authorization !== expected) return refusal(401, 'invalid_client');
  return {
    status: 200,
    body: { access_token: token, token_type: 'Bearer', expires_in: tokenSeconds },
  };
}

/** Repeats the first successful answer to a request id. */
function withRequestId(known: Map<string, Reply>, call: ReceivedCall, answer: () => Reply): Reply {
  const id = call.headers['paypal-request-id'];
  if (call.method !== 'POST' || typeof id !== 'string') return answer();
  const reply = known.get(id) ?? answer();
  if (reply.status < 300) known.set(id, reply);
  return reply;
}

/** Without the preference, PayPal answers a successful POST with only a few fields. */
function asPreferred({ method, headers }: ReceivedCall, reply: Reply): Reply {
  const isShort = method === 'POST' && headers.prefer !== 'return=representation';
  if (!isShort || reply.status >= 300) return reply;
  const { id, status, links } = reply.body as Record<string, unknown>;
  return { ...reply, body: { id, status, links } };
}

interface WantedOrder {
  purchase_units: [{ amount: Money; custom_id?: string; reference_id?: string }];
  payment_source: { paypal: { experience_context: { return_url: string; cancel_url: string } } };
}

function answerApi(
  orders: WalletOrders,
  { method, path, query, body }: ReceivedCall,
  pages: string,
): Reply {
  const at = `${method} ${path}`;
  if (at === 'POST /v2/checkout/orders') {
    const wanted = JSON.parse(body) as WantedOrder;
    const [unit] = wanted.purchase_units;
    const { return_url: returnUrl, cancel_url: cancelUrl } =
      wanted.payment_source.paypal.experience_context;
    const { amount, custom_id: customId = '', reference_id: referenceId = '' } = unit;
    return present(
      orders.add({ amount, customId, referenceId, returnUrl, cancelUrl, merchantId: ownMerchant }),
      pages,
    );
  }
  const [, captureId = ''] = /^POST \/v2\/payments\/captures\/(\w+)\/refund$/.exec(at) ?? [];
  if (captureId) return refund(orders, captureId, JSON.parse(body) as { amount: Money });
  const [, id = '', act] = /^\/v2\/checkout\/orders\/(\w+)(\/capture)?$/.exec(path) ?? [];
  const order = orders.all.get(id);
  if (order)
    return act && method === 'POST' ? capture(orders, order, pages) : present(order, pages);
  if (at === 'GET /v1/customer/disputes')
    return listDisputes(orders, query.get('disputed_transaction_id'));
  const dispute = orders.disputes.find(
    ({ dispute_id }) => path === `/v1/customer/disputes/${dispute_id}`,
  );
  if (!dispute) return refusal(404, 'RESOURCE_NOT_FOUND');
  return orders.unreadable.has(dispute.dispute_id)
    ? refusal(500, 'INTERNAL_SERVER_ERROR')
    : { status: 200, body: dispute };
}

function listDisputes(orders: WalletOrders, captureId: string | null): Reply {
  const items = orders.disputes.filter(
    ({ disputed_transactions: [about] }) => about?.seller_transaction_id === captureId,
  );
  return {
    status: 200,
    body: {
      items: items.map(({ dispute_id, status, dispute_amount }) => ({
        dispute_id,
        status,
        dispute_amount,
      })),
    },
  };
}

function capture(orders: WalletOrders, order: WalletOrder, pages: string): Reply {
  if (order.status === 'COMPLETED') return refusal(422, 'ORDER_ALREADY_CAPTURED');
  if (order.status !== 'APPROVED') return refusal(422, 'ORDER_NOT_APPROVED');
  if (orders.capture(order)) return present(order, pages);
  return refusal(
    422,
    'INSTRUMENT_DECLINED',
    'The payment method was declined. Please choose another one.',
  );
}

function refund(orders: WalletOrders, captureId: string, { amount }: { amount: Money }): Reply {
  const order = orders.orderOf(captureId);
  const captured = order?.captures.find(({ id }) => id === captureId);
  if (!order || !captured) return refusal(404, 'RESOURCE_NOT_FOUND');
  if (orders.refundRefusal) return refusal(422, 'REFUND_NOT_PERMITTED', orders.refundRefusal);
  const given = order.refunds.reduce((sum, refund) => sum + minorOf(refund.amount), 0);
  if (given + minorOf(amount) > minorOf(captured.amount))
    return refusal(
      422,
      'REFUND_AMOUNT_EXCEEDED',
      'The refund amount must be less than or equal to the capture amount.',
    );
  return { status: 201, body: orders.refund(order.id, amount.value) };
}

const minorOf = ({ value }: Money) => Math.round(Number(value) * 100);

function present(order: WalletOrder, pages: string): Reply {
  const { id, status, amount, customId, referenceId, merchantId, captures, refunds } = order;
  const page = new URL(`${pages}/checkoutnow?token=${id}`, order.returnUrl);
  const payments = captures.length > 0 ? { payments: { captures, refunds } } : {};
  const unit = {
    reference_id: referenceId,
    custom_id: customId,
    amount,
    payee: { merchant_id: merchantId },
    ...payments,
  };
  // Only an order that waits for the buyer has an approval page.
  const links =
    status === 'PAYER_ACTION_REQUIRED'
      ? [{ rel: 'payer-action', href: page.href, method: 'GET' }]
      : [];
  return { status: 200, body: { id, intent: 'CAPTURE', status, purchase_units: [unit], links } };
}

function pageFor(orders: WalletOrders, { method, path, query, body }: ReceivedCall): Reply | null {
  if (path === '/style.css') return stylePage;
  if (path !== '/checkoutnow') return null;
  const form = new URLSearchParams(body);
  const order = orders.all.get((method === 'POST' ? form : query).get('token') ?? '');
  if (!order) return gonePage;
  return method === 'POST' ? endApproval(orders, order, form) : approvalPage(order);
}

function approvalPage({ id, amount }: WalletOrder): Reply {
  const choices = Object.entries(testOutcomes).map(
    ([outcome, words]) =>
      `<label><input type="radio" name="outcome" value="${outcome}"${outcome === 'pay' ? ' checked' : ''}> ${words}</label>`,
  );
  const form = `<form method="post" action="checkoutnow"><input type="hidden" name="token" value="${asText(id)}">
<fieldset>${choices.join('\n')}</fieldset>
<button class="main" name="answer" value="yes">Continue</button><button name="answer" value="no">Cancel and go back</button></form>`;
  const lead = `A shop asks for ${asText(amount.currency_code)} ${asText(amount.value)} from your wallet. Choose what happens.`;
  return { status: 200, body: testPage({ title: 'Test wallet', lead, form }) };
}

function endApproval(orders: WalletOrders, order: WalletOrder, form: URLSearchParams): Reply {
  const isApproved = form.get('answer') === 'yes';
  const outcome = form.get('outcome') ?? 'pay';
  if (isApproved)
    orders.approve(order.id, outcome in testOutcomes ? (outcome as TestOutcome) : 'pay');
  const back = new URL(isApproved ? order.returnUrl : order.cancelUrl);
  back.searchParams.set('token', order.id);
  if (isApproved) back.searchParams.set('PayerID', 'FAKEPAYER0001');
  return { status: 303, body: '', headers: { location: back.href } };
}

interface NewEvent {
  type: string;
  resource: object;
  webhookId: string;
  signer: Signer;
  certificateUrl: string;
}

function eventOf({ type, resource, webhookId, signer, certificateUrl }: NewEvent): Message {
  const id = `WH-${newId()}`;
  const body = JSON.stringify({
    id,
    event_type: type,
    create_time: new Date().toISOString(),
    resource,
  });
  return {
    id,
    body,
    headersFor: (text) => {
      const transmission = randomUUID();
      const time = new Date().toISOString();
      return {
        'paypal-transmission-id': transmission,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': signer.sign(
          [transmission, time, webhookId, crc32(Buffer.from(text))].join('|'),
        ),
        'paypal-cert-url': certificateUrl,
        'paypal-auth-algo': 'SHA256withRSA',
      };
    },
  };
}

function refusal(status: number, issue: string, description = issue): Reply {
  return {
    status,
    body: {
      name: status === 404 ? issue : 'UNPROCESSABLE_ENTITY',
      message: description,
      details: [{ issue, description }],
    },
  };
}

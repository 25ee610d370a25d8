// size: every call once
import { randomUUID } from 'node:crypto';
import { can, type Endpoint, type EndpointName, endpoints, roles } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { fulfilOrder } from '../../src/domains/billing/payments/fulfil-order.ts';
import { makeOperator } from '../../src/domains/identity/accounts/registration.ts';
import { packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createSession, createUser, password, type TestUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';
import { auditEntriesOf, rowsNaming, withFailingAudit } from './audit-proof.ts';
import { callTable, modelToSave, onlyReads, providerToSave } from './call-table.ts';
import { send } from './callers.ts';

const server = await startPaymentServer({ LOG_LEVEL: 'silent' });
// The calls themselves ask the provider for its state.
server.stripe.sender.isMute = true;

async function createPeople() {
  const admin = await createUser(server, { roleId: roles.admin, submissions: 100 });
  const client = await createUser(server, { adminId: admin.id, submissions: 10 });
  const other = await createUser(server, { roleId: roles.admin });
  const operator = await createUser(server, { roleId: roles.operator });
  return {
    admin,
    client,
    other,
    operator,
    newcomer: await createUser(server, { isVerified: false }),
  };
}
type People = Awaited<ReturnType<typeof createPeople>>;
type Role = keyof People;

/** The caller, and the users who must then find an entry about themselves. */
interface Parts {
  by: Role;
  about: readonly Role[];
}

interface Case extends Parts {
  words: string;
  name: EndpointName;
  ask: (people: People) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** The request must be accepted and write something. */
  mustWrite?: true;
}

/** Every call that cannot be made for someone else. */
const ownCalls = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { actAs }]) => actAs === 'self',
);

const own: Parts = { by: 'client', about: ['client'] };
const ofNewcomer: Parts = { by: 'newcomer', about: ['newcomer'] };
const ofAdmin: Parts = { by: 'admin', about: ['client'] };
const ofAdminAndClient: Parts = { by: 'admin', about: ['admin', 'client'] };
const ofOperator: Parts = { by: 'operator', about: ['client'] };
const ofSale: Parts = { by: 'operator', about: ['operator'] };
/** The subject does not exist before the call. */
const withoutSubject: Parts = { by: 'admin', about: [] };

const newPassword = 'slow harbour 16 copper';
const reason = 'For the proof';
const newAddress = () => `${randomUUID()}@example.test`;

async function paymentInReview(people: People): Promise<{ payment_id: string; intent: string }> {
  const { order_id, client_secret } = await server.orderByCard(people.client);
  const intent = server.stripe.intents.get(client_secret);
  server.stripe.intents.succeed(intent, packPrice - 50);
  await server.call('confirmPayment', { order_id }, people.client);
  return { payment_id: (await reviewOf(people, order_id))?.payment_id ?? '', intent: intent.id };
}

async function reviewOf({ operator }: People, search: string) {
  return (await server.call('getReviews', { search }, operator)).body.reviews[0];
}

/** A payment that the provider refuses to refund. */
async function rejectedPayment(people: People): Promise<string> {
  const { payment_id, intent } = await paymentInReview(people);
  server.stripe.intents.all.delete(intent);
  await server.call('decideReview', { payment_id, decision: 'refuse', reason }, people.operator);
  await until(
    async () => (await reviewOf(people, people.client.email))?.give_back_problem !== null,
  );
  return payment_id;
}

async function paidOrder(client: TestUser): Promise<string> {
  const { order_id, client_secret } = await server.orderByCard(client);
  server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
  return order_id;
}

async function catalogue({ operator }: People) {
  return (await server.call('getCatalogue', {}, operator)).body;
}

async function otherDevice({ client }: People): Promise<string | undefined> {
  await createSession(server, client.id);
  const { sessions } = (await server.call('fetchUserDetail', {}, client)).body;
  return sessions.find(({ current }) => !current)?.id;
}

const sold = () => ({ name: randomUUID(), position: 1, is_sold: true });
const plan = {
  price_minor: 500,
  period_days: 30,
  submissions: 1,
  features: [],
  highlighted: false,
};
const rightPassword = { current_password: password };
const newProvider = () => ({ ...providerToSave, name: `Provider ${randomUUID()}` });
const act = (parts: Parts, name: EndpointName, words: string, ask: Case['ask']): Case => ({
  ...parts,
  name,
  words,
  ask,
});

/** Replaces requests of the call table that write too little: that table only tests access. */
const further: Case[] = [
  act(ofNewcomer, 'verifyLink', 'of a new address', async ({ newcomer }) => {
    await server.call('resendLink', {}, newcomer);
    return { token: await server.tokenSentTo(newcomer.email, 'Please verify') };
  }),
  act(own, 'verifyLink', 'of a changed address', async ({ client }) => {
    const email = newAddress();
    await server.call('verifyAndUpdateUserDetails', { email, ...rightPassword }, client);
    return { token: await server.tokenSentTo(email, 'new email address') };
  }),
  act(own, 'resetPassword', 'by email link', async ({ client: { email } }) => {
    await server.call('sendResetLinkEmail', { email });
    const token = await server.tokenSentTo(email, 'Set a new password');
    return { token, password: newPassword };
  }),
  act(own, 'changePassword', 'one’s own', () => ({ ...rightPassword, password: newPassword })),
  act(own, 'verifyAndUpdateUserDetails', 'to another address', () => ({
    email: newAddress(),
    ...rightPassword,
  })),
  act(own, 'revokeSession', 'of one device', async (people) => ({
    session_id: await otherDevice(people),
  })),
  act(own, 'revokeSession', 'of all others', (people) => otherDevice(people).then(() => ({}))),
  act(own, 'deleteUserAccount', 'a client’s', () => rightPassword),
  act(ofAdminAndClient, 'deleteUserAccount', 'an admin’s', () => rightPassword),
  act(withoutSubject, 'addClient', 'with a gift', () => ({
    ...callTable.addClient.ask(noBelongings),
    credits: 5,
  })),
  act(ofAdmin, 'withdrawInvitation', 'with a gift', async ({ admin, client: { id: user_id } }) => {
    await server.call('updateCreditCount', { user_id, change: 5, reason }, admin);
    const { db } = server.app.ctx;
    await db.updateTable('users').set({ password_hash: null }).where('id', '=', user_id).execute();
    return { user_id };
  }),
  act(own, 'updateCreditCount', 'of a paid order', ({ client }) =>
    paidOrder(client).then(() => ({})),
  ),
  act(ofAdmin, 'updateCreditCount', 'a gift', ({ client: { id } }) => ({
    user_id: id,
    change: 5,
    reason,
  })),
  act(ofAdmin, 'updateCreditCount', 'taken back', async ({ admin, client: { id: user_id } }) => {
    await server.call('updateCreditCount', { user_id, change: 5, reason }, admin);
    return { user_id, change: -5, reason };
  }),
  act(ofOperator, 'updateCreditCount', 'an adjustment', ({ client: { id } }) => ({
    user_id: id,
    change: -3,
    reason,
  })),
  act(
    { by: 'operator', about: ['admin', 'client'] },
    'setRole',
    'an admin who has a client',
    ({ admin }) => ({ user_id: admin.id, role_id: roles.client, reason }),
  ),
  act(ofOperator, 'moveClient', 'to another admin', ({ client, other }) => ({
    user_id: client.id,
    admin_id: other.id,
    reason,
  })),
  act(ofOperator, 'setSuspended', 'lifted', async ({ client: { id: user_id }, operator }) => {
    await server.call('setSuspended', { user_id, suspended: true, reason }, operator);
    return { user_id, suspended: false, reason };
  }),
  ...['accept', 'refuse'].map((decision) =>
    act(ofOperator, 'decideReview', decision, async (people) => {
      const { payment_id, intent } = await paymentInReview(people);
      // The job that refunds it would tell its buyer meanwhile.
      if (decision === 'refuse') server.stripe.intents.all.delete(intent);
      return { payment_id, decision, reason };
    }),
  ),
  act(ofOperator, 'decideReview', 'refunded by hand', async (people) => {
    const payment_id = await rejectedPayment(people);
    return { payment_id, decision: 'given_back', reason };
  }),
  act(ofSale, 'savePlan', 'a new one', () => ({ ...sold(), ...plan })),
  act(ofSale, 'savePack', 'a new one', () => ({ ...sold(), count: 1, rate_minor: 500 })),
  act(ofSale, 'savePlan', 'an existing one', async (people) => ({
    ...(await catalogue(people)).plans.find(({ id }) => id === 'quarter'),
    ...plan,
  })),
  act(ofSale, 'savePack', 'an existing one', async (people) => ({
    ...(await catalogue(people)).packs[0],
    position: 77,
  })),
  act(ofSale, 'saveProvider', 'a new one', newProvider),
  act(ofSale, 'deleteProvider', 'one without models', async ({ operator }) => {
    const { body } = await server.call('saveProvider', newProvider(), operator);
    return { id: body.provider.id };
  }),
  act(ofSale, 'saveModel', 'a new one', () => ({ ...modelToSave, name: `model-${randomUUID()}` })),
  act(ofSale, 'savePricing', 'another tax', async (people) => ({
    ...(await catalogue(people)).pricing,
    tax_name: 'GST',
  })),
];

const noBelongings = { id: '', sheet: '', batch: '' };

/** Makes the call for a person with the least rights that it needs. */
function senderOf({ requires }: Endpoint): Parts {
  if (!requires) return own;
  return can(roles.admin, requires) ? ofAdmin : ofOperator;
}

const ofTable = ownCalls.map(([name, endpoint]) => {
  const parts = name === 'addClient' ? withoutSubject : senderOf(endpoint);
  return act(parts, name, 'as in the call table', ({ client: { id } }) =>
    callTable[name].ask({ ...noBelongings, id }),
  );
});

/** Calls that change no one's submissions, role or security. */
const withoutEntry: EndpointName[] = [
  'login',
  'logout',
  'readNotifications',
  'registerUser',
  'resendLink',
  'sendResetLinkEmail',
];

const cases = [...ofTable, ...further.map((one) => ({ ...one, mustWrite: true as const }))].filter(
  ({ name }) => !withoutEntry.includes(name),
);
const writing = new Set<EndpointName>();

const idsOf = (people: People) => Object.values(people).map(({ id }) => id);

it.each(cases)(
  'the call $name ($words) by $by has no effect without an audit entry in the same transaction',
  async (one) => {
    const people = await createPeople();
    const request = await one.ask(people);
    const { token, id } = people[one.by];
    const entries = await prove(idsOf(people), async () => {
      const { status } = await send(server, endpoints[one.name], request, token);
      return status === 200;
    });
    if (one.mustWrite) expect(entries).not.toBeNull();
    if (!entries) return;
    writing.add(one.name);
    expect(entries.map(({ actor_id }) => actor_id)).toContain(id);
    expect(entries.map(({ subject_id }) => subject_id)).toEqual(
      expect.arrayContaining(one.about.map((role) => people[role].id)),
    );
  },
);

it('has a test: every call for oneself that does not only read', () => {
  const others = ownCalls.map(([name]) => name).filter((name) => !onlyReads(name));
  expect([...writing, ...withoutEntry].sort()).toEqual(others.sort());
});

describe('an effect without a call', () => {
  it('needs an audit entry: a payment and its refund reported by the provider', async () => {
    const client = await createUser(server);
    const order_id = await paidOrder(client);
    const fulfil = () => succeeds(fulfilOrder(server.app.ctx, order_id));
    expect(await prove([client.id], fulfil)).toMatchObject([
      { act: 'order_paid', subject_id: client.id },
    ]);
    const intent = [...server.stripe.intents.all.values()].find(
      ({ metadata }) => metadata.order_id === order_id,
    );
    server.stripe.intents.refund(intent?.id ?? '');
    expect(await prove([client.id], fulfil)).toMatchObject([
      { act: 'order_reversed', subject_id: client.id },
    ]);
  });

  it('needs an audit entry: an operator created by command', async () => {
    const { id, email } = await createUser(server);
    const entries = await prove([id], () => succeeds(makeOperator(server.app.ctx, email)));
    expect(entries).toMatchObject([{ act: 'operator_made', subject_id: id }]);
  });
});

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

/** Jobs and the provider's next answers still write to these after the act. */
const writtenAfterwards = /^(email_links|orders|payments) /;

/** Acts twice, first with a failing audit. Returns the new entries, or null without an effect. */
async function prove(people: string[], act: () => Promise<boolean>) {
  const before = await rowsNaming(server, people);
  const known = (await auditEntriesOf(server, people)).length;
  await withFailingAudit(server, people, act);
  expect([...(await rowsNaming(server, people)).keys()]).toEqual([...before.keys()]);
  const isDone = await act();
  const after = await rowsNaming(server, people);
  const entries = (await auditEntriesOf(server, people)).slice(known);
  const changed = [...after].filter(([row]) => !before.has(row));
  if (changed.length === 0 && after.size === before.size) {
    expect(entries).toEqual([]);
    return null;
  }
  expect(isDone).toBe(true);
  const transactions = entries.map(({ transaction }) => transaction);
  for (const [row, transaction] of changed)
    if (!writtenAfterwards.test(row)) expect(transactions, row).toContain(transaction);
  expect(entries.length).toBeGreaterThan(0);
  return entries;
}

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
import { callTable, modelToSave, providerToSave } from './call-table.ts';
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
}

/** Every call that cannot be made for someone else. */
const ownCalls = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { actAs }]) => actAs === 'self',
);

const own: Parts = { by: 'client', about: ['client'] };
const ofAdmin: Parts = { by: 'admin', about: ['client'] };
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

/** Replaces requests of the call table that write too little: that table only tests access. */
const further: Case[] = [
  {
    words: 'of a new address',
    name: 'verifyLink',
    by: 'newcomer',
    about: ['newcomer'],
    ask: async ({ newcomer }) => {
      await server.call('resendLink', {}, newcomer);
      return { token: await server.tokenSentTo(newcomer.email, 'Please verify') };
    },
  },
  {
    ...own,
    words: 'of a changed address',
    name: 'verifyLink',
    ask: async ({ client }) => {
      const email = newAddress();
      await server.call('verifyAndUpdateUserDetails', { email, ...rightPassword }, client);
      return { token: await server.tokenSentTo(email, 'new email address') };
    },
  },
  {
    ...own,
    words: 'by email link',
    name: 'resetPassword',
    ask: async ({ client: { email } }) => {
      await server.call('sendResetLinkEmail', { email });
      return {
        token: await server.tokenSentTo(email, 'Set a new password'),
        password: newPassword,
      };
    },
  },
  {
    ...own,
    words: 'one’s own',
    name: 'changePassword',
    ask: () => ({ ...rightPassword, password: newPassword }),
  },
  {
    ...own,
    words: 'to another address',
    name: 'verifyAndUpdateUserDetails',
    ask: () => ({ email: newAddress(), ...rightPassword }),
  },
  {
    ...own,
    words: 'of one device',
    name: 'revokeSession',
    ask: async (people) => ({ session_id: await otherDevice(people) }),
  },
  {
    ...own,
    words: 'of all others',
    name: 'revokeSession',
    ask: (people) => otherDevice(people).then(() => ({})),
  },
  { ...own, words: 'a client’s', name: 'deleteUserAccount', ask: () => rightPassword },
  {
    words: 'an admin’s',
    name: 'deleteUserAccount',
    by: 'admin',
    about: ['admin', 'client'],
    ask: () => rightPassword,
  },
  {
    ...withoutSubject,
    words: 'with a gift',
    name: 'addClient',
    ask: () => ({ ...callTable.addClient.ask(noBelongings), credits: 5 }),
  },
  {
    ...own,
    words: 'of a paid order',
    name: 'updateCreditCount',
    ask: ({ client }) => paidOrder(client).then(() => ({})),
  },
  {
    ...ofAdmin,
    words: 'a gift',
    name: 'updateCreditCount',
    ask: ({ client }) => ({ user_id: client.id, change: 5, reason }),
  },
  {
    ...ofAdmin,
    words: 'taken back',
    name: 'updateCreditCount',
    ask: async ({ admin, client: { id: user_id } }) => {
      await server.call('updateCreditCount', { user_id, change: 5, reason }, admin);
      return { user_id, change: -5, reason };
    },
  },
  {
    ...ofOperator,
    words: 'an adjustment',
    name: 'updateCreditCount',
    ask: ({ client: { id } }) => ({ user_id: id, change: -3, reason }),
  },
  {
    words: 'an admin who has a client',
    name: 'setRole',
    by: 'operator',
    about: ['admin', 'client'],
    ask: ({ admin }) => ({ user_id: admin.id, role_id: roles.client, reason }),
  },
  {
    ...ofOperator,
    words: 'to another admin',
    name: 'moveClient',
    ask: ({ client, other }) => ({ user_id: client.id, admin_id: other.id, reason }),
  },
  {
    ...ofOperator,
    words: 'lifted',
    name: 'setSuspended',
    ask: async ({ client: { id: user_id }, operator }) => {
      await server.call('setSuspended', { user_id, suspended: true, reason }, operator);
      return { user_id, suspended: false, reason };
    },
  },
  ...(['accept', 'refuse'] as const).map(
    (decision): Case => ({
      ...ofOperator,
      words: decision,
      name: 'decideReview',
      ask: async (people) => ({
        payment_id: (await paymentInReview(people)).payment_id,
        decision,
        reason,
      }),
    }),
  ),
  {
    ...ofOperator,
    words: 'refunded by hand',
    name: 'decideReview',
    ask: async (people) => ({
      payment_id: await rejectedPayment(people),
      decision: 'given_back',
      reason,
    }),
  },
  { ...ofSale, words: 'a new one', name: 'savePlan', ask: () => ({ ...sold(), ...plan }) },
  {
    ...ofSale,
    words: 'a new one',
    name: 'savePack',
    ask: () => ({ ...sold(), count: 1, rate_minor: 500 }),
  },
  {
    ...ofSale,
    words: 'an existing one',
    name: 'savePlan',
    ask: async (people) => ({
      ...(await catalogue(people)).plans.find(({ id }) => id === 'quarter'),
      ...plan,
    }),
  },
  {
    ...ofSale,
    words: 'an existing one',
    name: 'savePack',
    ask: async (people) => ({ ...(await catalogue(people)).packs[0], position: 77 }),
  },
  {
    ...ofSale,
    words: 'a new one',
    name: 'saveProvider',
    ask: () => ({ ...providerToSave, name: `Provider ${randomUUID()}` }),
  },
  {
    ...ofSale,
    words: 'one without models',
    name: 'deleteProvider',
    ask: async ({ operator }) => {
      const request = { ...providerToSave, name: `Provider ${randomUUID()}` };
      const { body } = await server.call('saveProvider', request, operator);
      return { id: body.provider.id };
    },
  },
  {
    ...ofSale,
    words: 'a new one',
    name: 'saveModel',
    ask: () => ({ ...modelToSave, name: `model-${randomUUID()}` }),
  },
  {
    ...ofSale,
    words: 'another tax',
    name: 'savePricing',
    ask: async (people) => ({ ...(await catalogue(people)).pricing, tax_name: 'GST' }),
  },
];

const noBelongings = { id: '', sheet: '', batch: '' };

/** Makes the call for a person with the least rights that it needs. */
function senderOf({ requires }: Endpoint): Parts {
  if (!requires) return own;
  return can(roles.admin, requires) ? ofAdmin : ofOperator;
}

const ofTable = ownCalls.map(([name, endpoint]): Case => {
  const ask = ({ client }: People) => callTable[name].ask({ ...noBelongings, id: client.id });
  return {
    ...(name === 'addClient' ? withoutSubject : senderOf(endpoint)),
    words: 'as in the call table',
    name,
    ask,
  };
});

/** Calls that only read. Every other call must be seen writing below. */
const reading: EndpointName[] = [
  'exportUserData',
  'fetchUserDetail',
  'getAuditLog',
  'getCatalogue',
  'getCatalogueHistory',
  'getCosts',
  'getInvariants',
  'getModels',
  'getNotifications',
  'getOverview',
  'getPeople',
  'getPlans',
  'getProviders',
  'getReviews',
  'getUsersPlan',
  'listCreditsAvailableForPurchase',
  'openEmailLink',
  'testProvider',
  'userList',
];

/** Calls that change no one's submissions, role or security. */
const withoutEntry: EndpointName[] = [
  'login',
  'logout',
  'readNotifications',
  'registerUser',
  'resendLink',
  'sendResetLinkEmail',
];

const cases = [...ofTable, ...further].filter(({ name }) => !withoutEntry.includes(name));
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
    if (!entries) return;
    writing.add(one.name);
    expect(entries.map(({ actor_id }) => actor_id)).toContain(id);
    expect(entries.map(({ subject_id }) => subject_id)).toEqual(
      expect.arrayContaining(one.about.map((role) => people[role].id)),
    );
  },
);

it('has a test: every call for oneself that does not only read', () => {
  expect([...writing, ...reading, ...withoutEntry].sort()).toEqual(
    ownCalls.map(([name]) => name).sort(),
  );
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

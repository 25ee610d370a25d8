import { randomUUID } from 'node:crypto';
import { type Endpoint, type EndpointName, endpoints, roles } from '@rowmill/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { fulfilOrder } from '../../src/domains/billing/payments/fulfil-order.ts';
import { makeOperator } from '../../src/domains/identity/accounts/registration.ts';
import { type PaymentServer, packPrice, startPaymentServer } from '../support/payment-server.ts';
import { createSession, createUser, password, type TestUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';
import { entriesOf, rowsAbout, withoutAudit } from './audit-proof.ts';
import { rows } from './call-table.ts';
import { send } from './callers.ts';

let server: PaymentServer;
beforeAll(async () => {
  server = await startPaymentServer({ LOG_LEVEL: 'silent' });
  // What happens at the provider is found out by the calls themselves.
  server.stripe.sender.isMute = true;
});

async function makeCast() {
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
type Cast = Awaited<ReturnType<typeof makeCast>>;
type Role = keyof Cast;

/** Who sends a call, and who must find an entry about himself then. */
interface Parts {
  by: Role;
  about: readonly Role[];
}

interface Case extends Parts {
  words: string;
  name: EndpointName;
  ask: (cast: Cast) => Record<string, unknown> | Promise<Record<string, unknown>>;
}

/** Every call that somebody makes in his own name, or nobody at all. */
const ownCalls = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
  ([, { actAs }]) => actAs === 'self',
);

const own: Parts = { by: 'client', about: ['client'] };
const ofAdmin: Parts = { by: 'admin', about: ['client'] };
const ofOperator: Parts = { by: 'operator', about: ['client'] };
const ofSale: Parts = { by: 'operator', about: ['operator'] };
/** Whom an entry is about who is not there before the call. */
const ofNobodyYet: Parts = { by: 'admin', about: [] };

const newPassword = 'slow harbour 16 copper';
const reason = 'For the proof';
const address = () => `${randomUUID()}@example.test`;

async function reviewed(cast: Cast): Promise<{ payment_id: string; intent: string }> {
  const { order_id, client_secret } = await server.orderByCard(cast.client);
  const intent = server.stripe.intents.get(client_secret);
  server.stripe.intents.succeed(intent, packPrice - 50);
  await server.call('confirmPayment', { order_id }, cast.client);
  return { payment_id: (await reviewOf(cast, order_id))?.payment_id ?? '', intent: intent.id };
}

async function reviewOf({ operator }: Cast, search: string) {
  return (await server.call('getReviews', { search }, operator)).body.reviews[0];
}

/** Its money the provider does not give back. */
async function refused(cast: Cast): Promise<string> {
  const { payment_id, intent } = await reviewed(cast);
  server.stripe.intents.all.delete(intent);
  await server.call('decideReview', { payment_id, decision: 'refuse', reason }, cast.operator);
  await until(async () => (await reviewOf(cast, cast.client.email))?.give_back_problem !== null);
  return payment_id;
}

async function paid(client: TestUser): Promise<string> {
  const { order_id, client_secret } = await server.orderByCard(client);
  server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
  return order_id;
}

async function catalogue({ operator }: Cast) {
  return (await server.call('getCatalogue', {}, operator)).body;
}

async function otherDevice({ client }: Cast): Promise<string | undefined> {
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

/** Requests that write more than those of the table, which are there to pass the door. */
const further: Case[] = [
  {
    ...{ words: 'of a new address', name: 'verifyLink', by: 'newcomer', about: ['newcomer'] },
    ask: async ({ newcomer }) => {
      await server.call('resendLink', {}, newcomer);
      return { token: await server.tokenSentTo(newcomer.email, 'Please verify') };
    },
  },
  {
    ...{ ...own, words: 'of a changed address', name: 'verifyLink' },
    ask: async ({ client }) => {
      const email = address();
      await server.call('verifyAndUpdateUserDetails', { email, ...rightPassword }, client);
      return { token: await server.tokenSentTo(email, 'new email address') };
    },
  },
  {
    ...{ ...own, words: 'by a mailed link', name: 'resetPassword' },
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
    words: 'his',
    name: 'changePassword',
    ask: () => ({ ...rightPassword, password: newPassword }),
  },
  {
    ...own,
    words: 'to another address',
    name: 'verifyAndUpdateUserDetails',
    ask: () => ({ email: address(), ...rightPassword }),
  },
  {
    ...own,
    words: 'of one device',
    name: 'revokeSession',
    ask: async (cast) => ({ session_id: await otherDevice(cast) }),
  },
  {
    ...own,
    words: 'of all others',
    name: 'revokeSession',
    ask: (cast) => otherDevice(cast).then(() => ({})),
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
    ...ofNobodyYet,
    words: 'with a gift',
    name: 'addClient',
    ask: () => ({ ...rows.addClient.ask(nobody), credits: 5 }),
  },
  {
    ...own,
    words: 'of what is paid',
    name: 'updateCreditCount',
    ask: ({ client }) => paid(client).then(() => ({})),
  },
  {
    ...ofAdmin,
    words: 'a gift',
    name: 'updateCreditCount',
    ask: ({ client }) => ({ user_id: client.id, change: 5, reason }),
  },
  {
    ...{ ...ofAdmin, words: 'taken back', name: 'updateCreditCount' },
    ask: async ({ admin, client: { id: user_id } }) => {
      await server.call('updateCreditCount', { user_id, change: 5, reason }, admin);
      return { user_id, change: -5, reason };
    },
  },
  {
    ...ofOperator,
    words: 'put right',
    name: 'updateCreditCount',
    ask: ({ client: { id } }) => ({ user_id: id, change: -3, reason }),
  },
  {
    ...{
      words: 'an admin who has a client',
      name: 'setRole',
      by: 'operator',
      about: ['admin', 'client'],
    },
    ask: ({ admin }) => ({ user_id: admin.id, role_id: roles.client, reason }),
  },
  {
    ...{ ...ofOperator, words: 'to another admin', name: 'moveClient' },
    ask: ({ client, other }) => ({ user_id: client.id, admin_id: other.id, reason }),
  },
  {
    ...{ ...ofOperator, words: 'no more', name: 'setSuspended' },
    ask: async ({ client: { id: user_id }, operator }) => {
      await server.call('setSuspended', { user_id, suspended: true, reason }, operator);
      return { user_id, suspended: false, reason };
    },
  },
  ...(['accept', 'refuse'] as const).map(
    (decision): Case => ({
      ...{ ...ofOperator, words: decision, name: 'decideReview' },
      ask: async (cast) => ({ payment_id: (await reviewed(cast)).payment_id, decision, reason }),
    }),
  ),
  {
    ...{ ...ofOperator, words: 'given back by hand', name: 'decideReview' },
    ask: async (cast) => ({ payment_id: await refused(cast), decision: 'given_back', reason }),
  },
  { ...ofSale, words: 'a new one', name: 'savePlan', ask: () => ({ ...sold(), ...plan }) },
  {
    ...ofSale,
    words: 'a new one',
    name: 'savePack',
    ask: () => ({ ...sold(), count: 1, rate_minor: 500 }),
  },
  {
    ...{ ...ofSale, words: 'one that is sold', name: 'savePlan' },
    ask: async (cast) => ({
      ...(await catalogue(cast)).plans.find(({ id }) => id === 'quarter'),
      ...plan,
    }),
  },
  {
    ...{ ...ofSale, words: 'one that is sold', name: 'savePack' },
    ask: async (cast) => ({ ...(await catalogue(cast)).packs[0], position: 77 }),
  },
  {
    ...{ ...ofSale, words: 'another tax', name: 'savePricing' },
    ask: async (cast) => ({ ...(await catalogue(cast)).pricing, tax_name: 'GST' }),
  },
];

const nobody = { id: '', sheet: '', batch: '' };
const sender = {
  anyone: own,
  session: own,
  verified: own,
  admin: ofAdmin,
  operator: ofOperator,
} as const;

const ofTable = ownCalls.map(([name, { who }]): Case => {
  const ask = ({ client }: Cast) => rows[name].ask({ ...nobody, id: client.id });
  return {
    ...(name === 'addClient' ? ofNobodyYet : sender[who]),
    words: 'as in the table',
    name,
    ask,
  };
});

/** What only reads. Every other call must be seen writing below, so a new one needs a request that does. */
const reading: EndpointName[] = [
  'exportUserData',
  'fetchUserDetail',
  'getAuditLog',
  'getCatalogue',
  'getCatalogueHistory',
  'getInvariants',
  'getModels',
  'getPeople',
  'getPlans',
  'getReviews',
  'getUsersPlan',
  'listCreditsAvailableForPurchase',
  'openEmailLink',
  'userList',
];

/** An account or a session that begins, a session that its owner ends, a mail: nobody’s credits, role or security is changed by these. */
const withoutEntry: EndpointName[] = [
  'login',
  'logout',
  'registerUser',
  'resendLink',
  'sendResetLinkEmail',
];

const cases = [...ofTable, ...further].filter(({ name }) => !withoutEntry.includes(name));
const writing = new Set<EndpointName>();

const idsOf = (cast: Cast) => Object.values(cast).map(({ id }) => id);

it.each(cases)(
  '$name, $words, by $by: no effect without an entry, in one transaction with it',
  async (one) => {
    const cast = await makeCast();
    const request = await one.ask(cast);
    const { token, id } = cast[one.by];
    const entries = await prove(idsOf(cast), async () => {
      const { status } = await send(server, endpoints[one.name], request, token);
      return status === 200;
    });
    if (!entries) return;
    writing.add(one.name);
    expect(entries.map(({ actor_id }) => actor_id)).toContain(id);
    expect(entries.map(({ subject_id }) => subject_id)).toEqual(
      expect.arrayContaining(one.about.map((role) => cast[role].id)),
    );
  },
);

it('is seen of every call in one’s own name that does not only read', () => {
  expect([...writing, ...reading, ...withoutEntry].sort()).toEqual(
    ownCalls.map(([name]) => name).sort(),
  );
});

describe('what comes about without a call', () => {
  it('a payment and its refund, that the provider reports: nothing moves without an entry', async () => {
    const client = await createUser(server);
    const order_id = await paid(client);
    const settle = () => succeeds(fulfilOrder(server.app.ctx, order_id));
    expect(await prove([client.id], settle)).toMatchObject([
      { act: 'order_paid', subject_id: client.id },
    ]);
    const intent = [...server.stripe.intents.all.values()].find(
      ({ metadata }) => metadata.order_id === order_id,
    );
    server.stripe.intents.refund(intent?.id ?? '');
    expect(await prove([client.id], settle)).toMatchObject([
      { act: 'order_reversed', subject_id: client.id },
    ]);
  });

  it('an operator who is made by command: not without an entry', async () => {
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

/** Here jobs, and what a provider answers next, go on writing after the act. */
const writtenAfterwards = /^(links|orders|payments) /;

/** Does it twice, at first without an audit, and gives the entries that it made; null if it has no effect at all. */
async function prove(people: string[], act: () => Promise<boolean>) {
  const before = await rowsAbout(server, people);
  const known = (await entriesOf(server, people)).length;
  await withoutAudit(server, people, act);
  expect([...(await rowsAbout(server, people)).keys()]).toEqual([...before.keys()]);
  const isDone = await act();
  const after = await rowsAbout(server, people);
  const entries = (await entriesOf(server, people)).slice(known);
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

import { roles } from '@rowmill/contract';
import { describe, expect, it, vi } from 'vitest';
import { sendInvoiceEmail } from '../../src/domains/billing/emails.ts';
import { sendLowBalanceEmail } from '../../src/domains/credits/spending.ts';
import { remindOfPlanEnds, sendPlanEndEmail } from '../../src/domains/plans/reminders.ts';
import { day } from '../../src/lib/clock.ts';
import { startPaymentServer } from '../support/payment-server.ts';
import { createUser, signIn, type TestUser } from '../support/users.ts';

const server = await startPaymentServer();
const operator = await createUser(server, { roleId: roles.operator });

/** A context whose emails are returned instead of sent. */
function mailing() {
  const send = vi.fn();
  const subjects = () => send.mock.calls.map(([{ subject }]) => subject as string);
  return { ctx: { ...server.app.ctx, mail: { ...server.app.ctx.mail, send } }, subjects };
}

async function suspend({ id: user_id }: TestUser, suspended = true) {
  const token = await signIn(server, operator.email);
  await server.call('setSuspended', { user_id, suspended, reason: 'A test.' }, { token });
}

/** Buys a month and returns what the reminder of its end says. */
async function buyMonth(person: TestUser) {
  const token = await signIn(server, person.email);
  const order = { plan: { id: 'month' } };
  const { order_id, client_secret } = (await server.call('stripeIntent', order, { token })).body;
  const intent = server.stripe.intents.get(client_secret);
  server.stripe.intents.succeed(intent);
  const { plan } = (await server.call('setPlan', { id: 'month', order_id }, { token })).body;
  return {
    intent: intent.id,
    ending: { userId: person.id, name: 'Month', endsAt: plan.ends_at ?? '' },
  };
}

describe('an email that the mail server takes hours later', () => {
  it('says of a dispute what is true by then', async () => {
    const person = await createUser(server);
    const { order_id, intent } = await server.buyByCard(person);
    const { number } = (await server.call('getOrderDetails', { orderId: order_id }, person)).body
      .order;
    const send = async (kind: 'dispute' | 'stands') => {
      const { ctx, subjects } = mailing();
      await sendInvoiceEmail(ctx, { kind, orderId: order_id, number: number ?? '' });
      return subjects();
    };
    const dispute = server.stripe.intents.dispute(intent);
    await server.eventsProcessed();
    expect(await send('dispute')).toEqual([expect.stringContaining('is disputed')]);
    expect(await send('stands')).toEqual([]);
    server.stripe.intents.closeDispute(dispute, 'won');
    await server.eventsProcessed();
    expect(await send('dispute')).toEqual([]);
    expect(await send('stands')).toEqual([expect.stringContaining('stands')]);
  });

  it('reminds of no plan that was refunded or has a next one by then', async () => {
    const [refunded, renewed] = [await createUser(server), await createUser(server)];
    const send = async (ending: Awaited<ReturnType<typeof buyMonth>>['ending']) => {
      const { ctx, subjects } = mailing();
      await sendPlanEndEmail(ctx, ending);
      return subjects();
    };
    const first = await buyMonth(refunded);
    expect(await send(first.ending)).toEqual([expect.stringContaining('Month ends on')]);
    server.stripe.intents.refund(first.intent);
    await server.eventsProcessed();
    expect(await send(first.ending)).toEqual([]);
    const second = await buyMonth(renewed);
    await buyMonth(renewed);
    expect(await send(second.ending)).toEqual([]);
  });
});

describe('a suspended person', () => {
  it('is reminded of the end of their plan once the suspension is lifted', async () => {
    const person = await createUser(server);
    await buyMonth(person);
    const remind = async () => {
      const reminded: unknown[] = [];
      const enqueue = async (_: unknown, ...jobs: { payload: object }[]) =>
        void reminded.push(...jobs.map(({ payload }) => payload));
      await remindOfPlanEnds({ ...server.app.ctx, enqueue });
      return reminded;
    };
    server.clock.advance(24 * day);
    await suspend(person);
    const about = expect.objectContaining({ userId: person.id });
    expect(await remind()).not.toContainEqual(about);
    await suspend(person, false);
    expect(await remind()).toContainEqual(about);
  });

  it('learns nothing about their clients', async () => {
    const admin = await createUser(server, { roleId: roles.admin });
    const client = await createUser(server, { adminId: admin.id });
    const limits = { user_id: client.id, low_balance_at: 3 };
    await server.call('setClientLimits', limits, admin);
    const send = async () => {
      const { ctx, subjects } = mailing();
      await sendLowBalanceEmail(ctx, { userId: client.id, to: 'admin' });
      return subjects();
    };
    expect(await send()).toEqual([expect.stringContaining('is running low')]);
    await suspend(admin);
    expect(await send()).toEqual([]);
  });
});

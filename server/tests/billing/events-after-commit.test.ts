import { pino } from 'pino';
import { expect, it } from 'vitest';
import { record } from '../../src/core/events.ts';
import { inPersistentTransaction, inTransaction } from '../../src/db/transaction.ts';
import { applyPaymentSnapshot } from '../../src/domains/billing/payments/apply-snapshot.ts';
import { listPaymentsOfOrder } from '../../src/domains/billing/store/payments.ts';
import { startPaymentServer } from '../support/payment-server.ts';
import { createUser } from '../support/users.ts';

const log: string[] = [];
const server = await startPaymentServer();
const ctx = { ...server.app.ctx, log: pino({}, { write: (line) => void log.push(line) }) };

const counted = async (event: string) => {
  const { values } = await ctx.events.get();
  return values.find(({ labels }) => labels.event === event)?.value ?? 0;
};
const logged = (event: string) => log.filter((line) => line.includes(`"${event}"`)).length;
const seen = async (event: string) => [logged(event), await counted(event)];

/** A paid order whose payment has not been applied yet. */
async function paidOrder() {
  const person = await createUser(server);
  server.stripe.sender.isMute = true;
  const { order_id: orderId, client_secret } = await server.orderByCard(person);
  server.stripe.intents.succeed(server.stripe.intents.get(client_secret));
  server.stripe.sender.isMute = false;
  const [payment] = await listPaymentsOfOrder(ctx.db, orderId);
  const snapshot = await ctx.payments.get('stripe')?.find(payment?.provider_ref ?? '');
  if (!payment || !snapshot) throw new Error('the order has no payment');
  return { orderId, paymentId: payment.id, snapshot };
}

it('records no paid order when its transaction rolls back, and one when it commits', async () => {
  const paid = await paidOrder();
  const events = ['order_paid', 'credits_moved'];
  const rolledBack = inTransaction(ctx, async (ctx) => {
    await applyPaymentSnapshot(ctx, paid);
    throw new Error('the invoice could not be written');
  });
  await expect(rolledBack).rejects.toThrow('the invoice could not be written');
  for (const event of events) expect(await seen(event)).toEqual([0, 0]);
  await inTransaction(ctx, (ctx) => applyPaymentSnapshot(ctx, paid));
  for (const event of events) expect(await seen(event)).toEqual([1, 1]);
});

it('waits for the commit even when the outer context is passed by mistake', async () => {
  const before = await counted('order_made');
  const rolledBack = inTransaction(ctx, async () => {
    record(ctx, 'order_made');
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  expect([logged('order_made'), await counted('order_made')]).toEqual([0, before]);
});

it('notifies the request of a commit, so that its answer goes first, but not of a rollback', async () => {
  let commits = 0;
  const told = { ...ctx, onCommit: () => commits++ };
  await expect(inTransaction(told, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(commits).toBe(0);
  await inTransaction(told, (inner) => inTransaction(inner, async () => expect(commits).toBe(0)));
  expect(commits).toBe(1);
  await inPersistentTransaction(told, async () => {});
  expect(commits).toBe(2);
});

import type { Context } from '../../context.ts';
import type { Job } from '../../jobs/job.ts';
import { getPerson } from '../identity/get-person.ts';
import { sendMail } from '../notifications/send-mail.ts';
import { getOrder } from './store/orders.ts';

/** Whoever has paid was promised to hear what becomes of a payment in review. An accepted one brings its receipt. */
export function refusalMail(orderId: string): Job {
  return { name: 'billing.refused', payload: { orderId } };
}

export async function tellRefusal(ctx: Context, { orderId }: { orderId: string }): Promise<void> {
  const order = await getOrder(ctx.db, orderId);
  const { user } = await getPerson(ctx, order.user_id);
  const { operator, http } = ctx.config;
  await sendMail(ctx, user.email, {
    subject: 'A payment of yours was not accepted',
    greeting: `Hello ${user.first_name},`,
    paragraphs: [
      `a payment for your order of ${order.description} did not fit the order. We have looked at it and not accepted it.`,
      'Nothing was given for it, and the money has gone back to you. Until your bank shows it, some days may pass.',
      `If you have a question, please write to ${operator.email}.`,
    ],
    action: { label: 'Open the order', url: `${http.publicUrl}/orders?order=${order.id}` },
    reason: `This mail goes to ${user.email} because a payment was made with this account.`,
  });
}

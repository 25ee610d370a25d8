import type { Context } from '../../context.ts';
import { invariant } from '../../refusal.ts';
import { getPerson } from '../identity/get-person.ts';
import { sendMail } from '../notifications/send-mail.ts';
import { type BillingMail, receipt, refundNotice } from './mails.ts';
import { getOrder } from './store/orders.ts';
import { listPapers } from './store/papers.ts';

export async function sendBillingMail(
  ctx: Context,
  { kind, orderId, number }: BillingMail,
): Promise<void> {
  const order = await getOrder(ctx.db, orderId);
  const paper = (await listPapers(ctx.db, orderId)).find((issued) => issued.number === number);
  invariant(paper, 'a mail about a paper follows its issue');
  const { user } = await getPerson(ctx, order.user_id);
  const write = kind === 'receipt' ? receipt : refundNotice;
  await sendMail(ctx, user.email, write(user, paper, ctx.config.http.publicUrl));
}

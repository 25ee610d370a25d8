import type { Context } from '../../context.ts';
import { findUser } from '../identity/store/users.ts';
import { sendMail } from '../notifications/send-mail.ts';
import { clientIsLow, ownBalanceIsLow } from './mails.ts';
import { findAccount } from './store.ts';

/** Tells the client, and whoever looks after him. */
export async function sendLowBalance(ctx: Context, { userId }: { userId: string }): Promise<void> {
  const client = await findUser(ctx.db, userId);
  if (!client || client.suspended_at) return;
  const available = (await findAccount(ctx.db, userId))?.available ?? 0;
  const { publicUrl } = ctx.config.http;
  await sendMail(ctx, client.email, ownBalanceIsLow(client, available, publicUrl));
  const admin = client.admin_id ? await findUser(ctx.db, client.admin_id) : undefined;
  if (admin) await sendMail(ctx, admin.email, clientIsLow(admin, client, { available, publicUrl }));
}

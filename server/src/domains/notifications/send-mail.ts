import type { Context } from '../../context.ts';
import { record } from '../../events.ts';
import { type MailContent, renderMail } from './mails.ts';

/** Sends one mail now. Called from jobs only: a request never waits for a mail server. */
export async function sendMail(ctx: Context, to: string, content: MailContent): Promise<void> {
  await ctx.mail.send(renderMail(to, content, ctx.config.operator));
  record(ctx, 'mail_sent');
}

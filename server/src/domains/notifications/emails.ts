import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import { plainName } from '../../lib/plain-name.ts';
import { AddressRefused, type Email } from './port.ts';

/** What an email says; sender, layout and formats are added when it is rendered. */
export interface EmailContent {
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  action?: { label: string; url: string };
  /** In small print: why the person got this email, and what to do if it was not meant for them. */
  reason: string;
}

interface Sender {
  product: string;
  company: string;
  address: string;
  email: string;
}

interface Addressee {
  first_name: string;
  email: string;
  email_verified_at: string | Date | null;
}

/** Sends an email now. Jobs call it, never requests: a request must not wait for a mail server. */
export async function sendEmail(ctx: Context, to: string, content: EmailContent): Promise<void> {
  try {
    await ctx.mail.send(renderEmail(to, content, ctx.config.operator));
    record(ctx, 'email_sent');
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    record(ctx, 'email_refused');
  }
}

/**
 * About a person's work and payments. Only to a verified address: admins invite people by any
 * address and choose the names of people and batches.
 */
export async function emailPerson<P extends Addressee>(
  ctx: Context,
  person: P,
  contentFor: (to: P) => EmailContent,
): Promise<void> {
  if (!person.email_verified_at) return;
  const to = { ...person, first_name: plainName(person.first_name) };
  await sendEmail(ctx, person.email, contentFor(to));
}

/** One layout for all emails, as text and as HTML without external images, scripts or styles. */
function renderEmail(to: string, content: EmailContent, sender: Sender): Email {
  return {
    to,
    subject: content.subject,
    text: renderText(content, sender),
    html: renderHtml(content, sender),
  };
}

function renderText(content: EmailContent, sender: Sender): string {
  const action = content.action ? [`${content.action.label}:`, content.action.url] : [];
  const signature = [sender.product, `${sender.company}, ${sender.address}`, sender.email].join(
    '\n',
  );
  return [
    content.greeting,
    ...content.paragraphs,
    ...action,
    content.reason,
    `-- \n${signature}`,
  ].join('\n\n');
}

function renderHtml(content: EmailContent, sender: Sender): string {
  const paragraphs = [content.greeting, ...content.paragraphs]
    .map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`)
    .join('');
  const small = 'margin:16px 0 0;font-size:13px;color:#5c6763';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(content.subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f6f4;font:16px/1.5 system-ui,sans-serif;color:#17211d">
<div role="main" style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:12px;overflow-wrap:anywhere">
<h1 style="margin:0 0 24px;font-size:16px;color:#0b5d47">${escapeHtml(sender.product)}</h1>
${paragraphs}${content.action ? renderAction(content.action) : ''}
<p style="${small}">${escapeHtml(content.reason)}</p>
<p style="${small}">${escapeHtml(sender.company)}, ${escapeHtml(sender.address)} · ${escapeHtml(sender.email)}</p>
</div></body></html>`;
}

function renderAction({ label, url }: { label: string; url: string }): string {
  const button =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#0b5d47;color:#fff;text-decoration:none;font-weight:600';
  return `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${button}">${escapeHtml(label)}</a></p>
<p style="margin:0;font-size:13px;color:#5c6763;word-break:break-all">${escapeHtml(url)}</p>`;
}

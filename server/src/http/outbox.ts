import { can } from '@rowmill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../core/context.ts';
import { refuse } from '../core/refusal.ts';
import type { OutboxEmail } from '../domains/notifications/port.ts';
import { escapeHtml } from '../lib/escape-html.ts';
import * as texts from '../texts/http.ts';
import { findVisitor } from './session-gate.ts';

/**
 * The waiting emails without a mail server. Their links open accounts, so outside the demo the page
 * exists only for operators.
 */
export function addOutbox(
  app: FastifyInstance,
  ctx: Context,
  listEmails: () => Promise<OutboxEmail[]>,
): void {
  app.get('/dev/mail', async (request, reply) => {
    await admitReader(ctx, request);
    const mails = await listEmails();
    reply.header('cache-control', 'no-store');
    if (request.headers.accept?.includes('application/json')) return { status: true, mails };
    return reply.type('text/html; charset=utf-8').send(renderOutbox(mails));
  });
  app.get('/dev/mail.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  );
}

async function admitReader(ctx: Context, request: FastifyRequest): Promise<void> {
  if (ctx.config.demo) return;
  const { actor } = await findVisitor(ctx, request);
  if (!actor || !can(actor.roleId, 'readOutbox')) refuse('not_found');
}

/** A page without scripts, the newest email first. */
function renderOutbox(emails: readonly OutboxEmail[]): string {
  const list = emails.map(renderEmail).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${texts.outbox}</title><link rel="stylesheet" href="/dev/mail.css"></head>
<body><main><h1>${texts.outbox}</h1>
<p class="lead">${texts.outboxIntro} <a href="/">${texts.backToSite}</a></p>
${list || `<p class="empty">${texts.outboxEmpty}</p>`}
</main></body></html>`;
}

function renderEmail({ subject, to, sentAt, text }: OutboxEmail): string {
  return `<article><h2>${escapeHtml(subject)}</h2>
<p class="meta">To ${escapeHtml(to)} · <time datetime="${sentAt}">${sentAt.replace('T', ' ').slice(0, 19)} UTC</time></p>
<div class="text">${linkUrls(escapeHtml(text))}</div></article>`;
}

function linkUrls(escaped: string): string {
  return escaped.replace(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`);
}

const style = `
:root { color-scheme: light dark; --ink: light-dark(#17211d, #e6ece9); --muted: light-dark(#55625c, #a3b0aa);
  --paper: light-dark(#f4f6f4, #101614); --card: light-dark(#fff, #18211d); --line: light-dark(#dde4e0, #2a3631); --link: light-dark(#0b5d47, #6fd3b1); }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; } h2 { margin: 0; font-size: 1.125rem; }
a { color: var(--link); overflow-wrap: anywhere; } .lead, .meta, .empty { color: var(--muted); }
article { margin: 1.25rem 0; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.meta { margin: .25rem 0 1rem; font-size: .875rem; } .text { white-space: pre-wrap; overflow-wrap: anywhere; }
`;

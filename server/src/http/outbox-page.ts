import type { OutboxEmail } from '../domains/notifications/port.ts';

/** A page without a script: the newest mail first, its links as links. */
export function renderOutbox(mails: readonly OutboxEmail[]): string {
  const list = mails.map(renderEmail).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Outbox</title><link rel="stylesheet" href="/dev/mail.css"></head>
<body><main><h1>Outbox</h1>
<p class="lead">No mail server is configured, so mails wait here instead of being sent. Reload to see new ones. <a href="/">Back to the product</a></p>
${list || '<p class="empty">No mail yet. Register, or ask for a new password, and it appears here.</p>'}
</main></body></html>`;
}

function renderEmail(mail: OutboxEmail): string {
  return `<article><h2>${asText(mail.subject)}</h2>
<p class="meta">To ${asText(mail.to)} · <time datetime="${mail.sentAt}">${mail.sentAt.replace('T', ' ').slice(0, 19)} UTC</time></p>
<div class="text">${linked(asText(mail.text))}</div></article>`;
}

function linked(escaped: string): string {
  return escaped.replace(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`);
}

function asText(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

export const outboxStyle = `
:root { color-scheme: light dark; --ink: light-dark(#17211d, #e6ece9); --soft: light-dark(#55625c, #a3b0aa);
  --paper: light-dark(#f4f6f4, #101614); --card: light-dark(#fff, #18211d); --line: light-dark(#dde4e0, #2a3631); --link: light-dark(#0b5d47, #6fd3b1); }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; } h2 { margin: 0; font-size: 1.125rem; }
a { color: var(--link); overflow-wrap: anywhere; } .lead, .meta, .empty { color: var(--soft); }
article { margin: 1.25rem 0; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.meta { margin: .25rem 0 1rem; font-size: .875rem; } .text { white-space: pre-wrap; overflow-wrap: anywhere; }
`;

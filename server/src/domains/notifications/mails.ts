import type { Mail } from './port.ts';

export interface MailContent {
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  action?: { label: string; url: string };
  /** Said in small print below: why the person got this mail, and what to do if it was not meant for him. */
  reason: string;
}

interface Sender {
  product: string;
  company: string;
  address: string;
  email: string;
}

/** One layout for all mails, as text and as HTML that needs no foreign image, script or style. */
export function renderMail(to: string, content: MailContent, sender: Sender): Mail {
  return {
    to,
    subject: content.subject,
    text: renderText(content, sender),
    html: renderHtml(content, sender),
  };
}

function renderText(content: MailContent, sender: Sender): string {
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

function renderHtml(content: MailContent, sender: Sender): string {
  const paragraphs = [content.greeting, ...content.paragraphs]
    .map((text) => `<p style="margin:0 0 16px">${asText(text)}</p>`)
    .join('');
  const small = 'margin:16px 0 0;font-size:13px;color:#5c6763';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${asText(content.subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f6f4;font:16px/1.5 system-ui,sans-serif;color:#17211d">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">
<p style="margin:0 0 24px;font-weight:700;color:#0b5d47">${asText(sender.product)}</p>
${paragraphs}${content.action ? renderAction(content.action) : ''}
<p style="${small}">${asText(content.reason)}</p>
<p style="${small}">${asText(sender.company)}, ${asText(sender.address)} · ${asText(sender.email)}</p>
</div></body></html>`;
}

function renderAction({ label, url }: { label: string; url: string }): string {
  const button =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#0b5d47;color:#fff;text-decoration:none;font-weight:600';
  return `<p style="margin:24px 0"><a href="${asText(url)}" style="${button}">${asText(label)}</a></p>
<p style="margin:0;font-size:13px;color:#5c6763;word-break:break-all">${asText(url)}</p>`;
}

function asText(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

import type { Reply } from './provider-server.ts';

/** A page without scripts or inline styles, which a strict content security policy allows. */
export function testPage({
  title,
  lead,
  form,
}: {
  title: string;
  lead: string;
  form: string;
}): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><link rel="stylesheet" href="style.css"></head>
<body><main><p class="mark">Test page. No money moves.</p><h1>${title}</h1><p>${lead}</p>
${form}</main></body></html>`;
}

/** Of a payment that it does not know, such as one from before a restart. */
export const gonePage: Reply = {
  status: 404,
  body: testPage({ title: 'This payment is gone', lead: 'Place a new order.', form: '' }),
};

export function asText(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

const style = `:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; background: light-dark(#f4f6f4, #101614); color: light-dark(#17211d, #e6ece9); }
main { box-sizing: border-box; max-width: 32rem; width: calc(100% - 2rem); margin: 3rem auto; padding: 1.5rem; background: light-dark(#fff, #18211d); border-radius: 12px; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } fieldset { border: 0; padding: 0; margin: 1rem 0; } label { display: block; padding: .25rem 0; }
button { font: inherit; min-height: 2.75rem; padding: 0 1.25rem; margin: .5rem .5rem 0 0; border-radius: 8px; border: 1px solid; background: none; color: inherit; }
button.main { background: #0b5d47; color: #fff; border-color: #0b5d47; }
.mark { display: inline-block; margin: 0 0 1rem; padding: .25rem .75rem; border-radius: 99px; background: light-dark(#fff1c9, #4a3b00); }
`;

export const stylePage: Reply = {
  status: 200,
  body: style,
  headers: { 'content-type': 'text/css; charset=utf-8' },
};

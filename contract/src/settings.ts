import * as z from 'zod/mini';
import { count } from './fields.ts';

/** The browser's runtime settings, served from the server's configuration. */
export const settingsPath = '/config.prod.json';

export const siteSettings = z.object({
  environment: z.literal('prod'),
  /** Of the program, as in CHANGELOG.md. */
  version: z.string(),
  /** The origin of each host; empty if it is the site's own. */
  hosts: z.object({ auth: z.string(), plan: z.string(), main: z.string() }),
  operator: z.object({
    product: z.string(),
    company: z.string(),
    address: z.string(),
    email: z.string(),
    phone: z.string(),
    social: z.array(z.object({ name: z.string(), url: z.string() })),
  }),
  /** What an uploaded sheet may have at most. */
  limits: z.object({ upload_bytes: count, sheet_rows: count, sheet_columns: count }),
  payments: z.object({
    stripe: z.object({ publishable_key: z.nullable(z.string()) }),
    paypal: z.object({ client_id: z.nullable(z.string()) }),
    /** The demo without keys: a test form for cards (test-cards.ts) and a page for the wallet. */
    test_cards: z._default(z.boolean(), false),
    test_wallet: z._default(z.boolean(), false),
  }),
  /** Null outside the demo. */
  demo: z.nullable(
    z.object({
      people: z.array(z.object({ email: z.string(), password: z.string(), role: z.string() })),
    }),
  ),
});
export type SiteSettings = z.infer<typeof siteSettings>;

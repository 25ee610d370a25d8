import * as z from 'zod/mini';

/** Where the browser finds its runtime settings, and what they hold. Written by the server from its own configuration. */
export const settingsPath = '/config.prod.json';

export const siteSettings = z.object({
  environment: z.literal('prod'),
  /** Bases of the three hosts, without a path; empty when they answer at the site's own address. */
  hosts: z.object({ auth: z.string(), plan: z.string(), main: z.string() }),
  operator: z.object({
    product: z.string(),
    company: z.string(),
    address: z.string(),
    email: z.string(),
    phone: z.string(),
    social: z.array(z.object({ name: z.string(), url: z.string() })),
  }),
  payments: z.object({
    stripe: z.object({ publishable_key: z.nullable(z.string()) }),
    paypal: z.object({ client_id: z.nullable(z.string()) }),
    /** Without keys, in the demo: cards are paid with the test form (test-cards.ts), the wallet on a page of its own. */
    test_cards: z._default(z.boolean(), false),
    test_wallet: z._default(z.boolean(), false),
  }),
  /** On a demonstration the pages say so, and list the demo people. */
  demo: z.nullable(
    z.object({
      people: z.array(z.object({ email: z.string(), password: z.string(), role: z.string() })),
    }),
  ),
});
export type SiteSettings = z.infer<typeof siteSettings>;

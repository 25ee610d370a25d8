import { type SiteSettings, settingsPath } from '@rowmill/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

/** The browser's runtime settings. Whatever is in them anybody can read. */
export function addSiteSettings(
  app: FastifyInstance,
  config: Config,
  demoPeople: NonNullable<SiteSettings['demo']>['people'],
): void {
  const settings: SiteSettings = {
    environment: 'prod',
    hosts: config.hosts,
    operator: config.operator,
    payments: {
      stripe: { publishable_key: config.payments.stripe?.publishableKey ?? null },
      paypal: { client_id: config.payments.paypal?.clientId ?? null },
      test_cards: config.demo && !config.payments.stripe,
      test_wallet: config.demo && !config.payments.paypal,
    },
    demo: config.demo ? { people: demoPeople } : null,
  };
  app.get(settingsPath, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(settings),
  );
}

import type { Environment } from './env.ts';
import type { Problems } from './problems.ts';

export interface PaymentsConfig {
  /** Whether the keys move real money. What a provider says of the other kind is not believed. */
  live: boolean;
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | null } | null;
  paypal: { clientId: string; clientSecret: string; webhookId: string; apiBase: string } | null;
}

const paypalBases = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' };

export function paymentsConfig(env: Environment, problems: Problems): PaymentsConfig {
  const live = env.LIVE_PAYMENTS === '1';
  const stripe = together(env, ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'], problems);
  const paypal = together(env, ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'], problems);
  if (env.STRIPE_PUBLISHABLE_KEY.startsWith('sk_'))
    problems.add('STRIPE_PUBLISHABLE_KEY holds a secret key; the browser would see it.');
  if (/^[sr]k_(live|test)_/.test(env.STRIPE_SECRET_KEY) && env.STRIPE_SECRET_KEY.includes('_live_') !== live)
    problems.add(`STRIPE_SECRET_KEY is a ${live ? 'test' : 'live'} key, but LIVE_PAYMENTS is ${env.LIVE_PAYMENTS}.`);
  return {
    live,
    stripe: stripe && {
      secretKey: env.STRIPE_SECRET_KEY,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET,
      apiBase: env.STRIPE_API_BASE ? safeAddress('STRIPE_API_BASE', env.STRIPE_API_BASE, problems) : null,
    },
    paypal: paypal && {
      clientId: env.PAYPAL_CLIENT_ID,
      clientSecret: env.PAYPAL_CLIENT_SECRET,
      webhookId: env.PAYPAL_WEBHOOK_ID,
      apiBase: env.PAYPAL_API_BASE
        ? safeAddress('PAYPAL_API_BASE', env.PAYPAL_API_BASE, problems)
        : paypalBases[live ? 'live' : 'sandbox'],
    },
  };
}

type Name = keyof Environment;

/** A provider is set up as a whole or not at all. */
function together(env: Environment, names: readonly [Name, ...Name[]], problems: Problems): true | null {
  const present = names.filter((name) => env[name] !== '');
  if (present.length === names.length) return true;
  for (const name of names)
    if (present.length > 0 && !present.includes(name)) problems.add(`${present[0]} is set, but ${name} is not.`);
  return null;
}

/** Keys do not travel readable over a network. */
function safeAddress(name: Name, value: string, problems: Problems): string {
  const address = problems.webAddress(name, value);
  const isLocal = URL.canParse(address) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname);
  if (address.startsWith('http:') && !isLocal) problems.add(`${name} must start with https://, for secret keys travel there.`);
  return address;
}

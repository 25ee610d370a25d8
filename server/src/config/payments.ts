import type { Environment } from './env.ts';
import type { Problems } from './problems.ts';

const paypalBases = {
  live: 'https://api-m.paypal.com',
  sandbox: 'https://api-m.sandbox.paypal.com',
};

/** How Stripe’s keys begin. A swapped one would only be noticed at the first payment. */
const stripeKeys = [
  ['STRIPE_SECRET_KEY', /^[sr]k_/],
  ['STRIPE_PUBLISHABLE_KEY', /^pk_/],
  ['STRIPE_WEBHOOK_SECRET', /^whsec_/],
] as const;

export function paymentsConfig(env: Environment, problems: Problems) {
  const live = problems.choices('LIVE_PAYMENTS', [env.LIVE_PAYMENTS], ['0', '1'])[0] === '1';
  const stripe = problems.together(
    env,
    stripeKeys.map(([name]) => name),
  );
  const paypal = problems.together(env, [
    'PAYPAL_CLIENT_ID',
    'PAYPAL_CLIENT_SECRET',
    'PAYPAL_WEBHOOK_ID',
  ]);
  if (env.STRIPE_PUBLISHABLE_KEY.startsWith('sk_'))
    problems.add('STRIPE_PUBLISHABLE_KEY is a secret key, and the browser would see it.');
  else
    for (const [name, start] of stripeKeys) {
      const value = env[name] ?? '';
      const other = stripeKeys.find(([, begins]) => begins.test(value))?.[0];
      if (other && !start.test(value)) problems.add(`${name} looks like ${other}.`);
    }
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'] as const)
    if (/^[srp]k_(live|test)_/.test(env[name]) && env[name].includes('_live_') !== live)
      problems.add(
        `${name} is a ${live ? 'test' : 'live'} key, but LIVE_PAYMENTS is ${env.LIVE_PAYMENTS}.`,
      );
  return {
    /** Whether the keys move real money. Payments of the other mode are refused. */
    live,
    stripe: stripe && {
      secretKey: env.STRIPE_SECRET_KEY,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET,
      apiBase: env.STRIPE_API_BASE
        ? problems.safeAddress('STRIPE_API_BASE', env.STRIPE_API_BASE)
        : null,
    },
    paypal: paypal && {
      clientId: env.PAYPAL_CLIENT_ID,
      clientSecret: env.PAYPAL_CLIENT_SECRET,
      webhookId: env.PAYPAL_WEBHOOK_ID,
      apiBase: env.PAYPAL_API_BASE
        ? problems.safeAddress('PAYPAL_API_BASE', env.PAYPAL_API_BASE)
        : paypalBases[live ? 'live' : 'sandbox'],
    },
  };
}

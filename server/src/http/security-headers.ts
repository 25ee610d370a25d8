import type { Config } from '../config/config.ts';

const yearSeconds = 31_536_000;

/** On every answer: no inline scripts, no framing, no referrer. */
export function securityHeaders(config: Config): Record<string, string> {
  return {
    'content-security-policy': contentPolicy(config),
    'strict-transport-security': `max-age=${yearSeconds}; includeSubDomains`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': `camera=(), microphone=(), geolocation=(), payment=(self${config.payments.stripe ? ' "https://js.stripe.com"' : ''})`,
    'x-permitted-cross-domain-policies': 'none',
  };
}

/** Card fields are Stripe's own frames, so that no card number ever reaches our pages. */
const stripe = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  image: ['https://*.stripe.com'],
  frames: ['frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com'],
};
const noSources = { script: [], connect: [], image: [], frames: [] };

function contentPolicy({ hosts, http, payments }: Config): string {
  const { script, connect, image, frames } = payments.stripe ? stripe : noSources;
  const otherHosts = Object.values(hosts).filter(Boolean);
  const directives = [
    "default-src 'none'",
    ["script-src 'self'", ...script].join(' '),
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...image].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", ...otherHosts, ...connect].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    ...frames,
  ];
  return [
    ...directives,
    ...(http.publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

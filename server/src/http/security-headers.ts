import type { Config } from '../config/config.ts';

const year = 31_536_000;

/** On every answer, whatever it is: nothing inline runs, nobody frames us, and no address leaks to the next site. */
export function securityHeaders(config: Config): Record<string, string> {
  return {
    'content-security-policy': contentPolicy(config),
    'strict-transport-security': `max-age=${year}; includeSubDomains`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
    'x-permitted-cross-domain-policies': 'none',
  };
}

function contentPolicy({ hosts, http }: Config): string {
  const elsewhere = Object.values(hosts).filter(Boolean);
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...elsewhere].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ];
  return [...directives, ...(http.publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : [])].join('; ');
}

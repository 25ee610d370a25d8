import { describe, expect, it } from 'vitest';
import { guard, normalisePath } from './guard.ts';

const client = { id: 'c', email_verified_at: '2026-01-01T00:00:00Z', role_id: 1 };
const admin = { ...client, role_id: 2 };
const unverified = { ...client, email_verified_at: null };
const visitor = { user: null, hasToken: false };
const asClient = { user: client, hasToken: true };
const asAdmin = { user: admin, hasToken: true };
const asUnverified = { user: unverified, hasToken: true };
const withoutToken = { user: client, hasToken: false };
const people = {
  'a visitor': visitor,
  'a client': asClient,
  'an admin': asAdmin,
  'an unverified person': asUnverified,
  'a client without a token': withoutToken,
};
const area = [
  '/dashboard',
  '/credits',
  '/checkout',
  '/ask',
  '/history',
  '/history/b1',
  '/profile',
  '/changepassword',
  '/payments',
  '/orders',
];
const open = [
  '/auth/plans',
  '/auth/billing',
  '/auth/about',
  '/auth/help',
  '/auth/terms',
  '/auth/privacy',
  '/auth/reset',
  '/auth/verify',
  '/auth/invitation',
];

type Visitor = { user: typeof client | typeof unverified | null; hasToken: boolean };
const visit = (path: string, who: Visitor, flags = {}) =>
  guard({ path, ...who, hasSelectedPlan: false, navigateToBilling: false, ...flags });
const target = (path: string, who: Visitor, flags = {}) => {
  const decision = visit(path, who, flags);
  return decision.allow ? 'allowed' : decision.to;
};

describe('the guard', () => {
  it.each([
    ['/', 'a visitor', '/auth'],
    ['/', 'a client', 'allowed'],
    ['/', 'an unverified person', 'allowed'],
    ['/auth', 'a visitor', 'allowed'],
    ['/auth', 'a client', '/dashboard'],
    ['/auth/login', 'an admin', '/dashboard'],
    ['/auth/register', 'a client', '/dashboard'],
    ['/auth/login', 'an unverified person', 'allowed'],
    ['/auth/resendlink', 'an unverified person', 'allowed'],
    ['/auth/resendlink', 'a client', '/'],
    ['/auth/resendlink', 'a visitor', '/'],
    ['/clients', 'a client', '/dashboard'],
    ['/clients', 'a client without a token', '/'],
    ['/clients', 'an unverified person', '/'],
    ['/clients', 'an admin', 'allowed'],
    ['/clients', 'a visitor', '/auth'],
  ] as const)('for %s and %s: %s', (path, who, expected) => {
    expect(target(path, people[who])).toBe(expected);
  });

  it.each(area)('opens %s only to people with a verified address', (path) => {
    expect(target(path, asClient)).toBe('allowed');
    expect(target(path, asAdmin)).toBe('allowed');
    expect(target(path, visitor)).toBe('/auth');
    expect(target(path, withoutToken)).toBe('/auth');
    expect(visit(path, asUnverified)).toEqual({
      allow: false,
      to: '/',
      message:
        'To access this feature, please verify your email by clicking the link we sent to your inbox.',
    });
  });

  it.each(open)('opens %s to everyone', (path) => {
    for (const who of [visitor, asClient, asAdmin, asUnverified, withoutToken])
      expect(target(path, who)).toBe('allowed');
  });

  it('redirects once to billing when a plan was chosen before signing in', () => {
    const flags = { hasSelectedPlan: true, navigateToBilling: true };
    expect(visit('/dashboard', asClient, flags)).toEqual({
      allow: false,
      to: '/auth/billing',
      clearBillingFlag: true,
    });
    expect(visit('/auth/billing', asClient, flags)).toEqual({
      allow: true,
      clearBillingFlag: true,
    });
    expect(visit('/auth/billing', asUnverified, flags)).toEqual({ allow: true });
    expect(target('/dashboard', asClient, { ...flags, hasSelectedPlan: false })).toBe('allowed');
    expect(target('/dashboard', asClient, { ...flags, navigateToBilling: false })).toBe('allowed');
  });

  it.each([
    ['/Dashboard', '/dashboard'],
    ['/d%61shboard', '/dashboard'],
    ['//dashboard', '/dashboard'],
    ['/dashboard/', '/dashboard'],
    ['/CLIENTS//', '/clients'],
    ['/history/B1', '/history/b1'],
    ['/', '/'],
    ['/%E0%A4', '/%e0%a4'],
  ])('reads %s like the router, as %s', (pathname, path) => {
    expect(normalisePath(pathname)).toBe(path);
  });
});

import { describe, expect, it } from 'vitest';
import { asWritten, guard } from './guard.ts';

const client = { id: 'c', email_verified_at: '2026-01-01T00:00:00Z', role_id: 1 };
const admin = { ...client, role_id: 2 };
const unverified = { ...client, email_verified_at: null };
const nobody = { user: null, hasToken: false };
const asClient = { user: client, hasToken: true };
const asAdmin = { user: admin, hasToken: true };
const asUnverified = { user: unverified, hasToken: true };
const withoutToken = { user: client, hasToken: false };
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

type Standing = { user: typeof client | typeof unverified | null; hasToken: boolean };
const visit = (path: string, standing: Standing, flags = {}) =>
  guard({ path, ...standing, hasSelectedPlan: false, navigateToBilling: false, ...flags });
const target = (path: string, standing: Standing, flags = {}) => {
  const verdict = visit(path, standing, flags);
  return verdict.allow ? 'allowed' : verdict.to;
};

describe('the guard', () => {
  it.each([
    ['/', nobody, '/auth'],
    ['/', asClient, 'allowed'],
    ['/', asUnverified, 'allowed'],
    ['/auth', nobody, 'allowed'],
    ['/auth', asClient, '/dashboard'],
    ['/auth/login', asAdmin, '/dashboard'],
    ['/auth/register', asClient, '/dashboard'],
    ['/auth/login', asUnverified, 'allowed'],
    ['/auth/resendlink', asUnverified, 'allowed'],
    ['/auth/resendlink', asClient, '/'],
    ['/auth/resendlink', nobody, '/'],
    ['/clients', asClient, '/dashboard'],
    ['/clients', withoutToken, '/'],
    ['/clients', asUnverified, '/'],
    ['/clients', asAdmin, 'allowed'],
    ['/clients', nobody, '/auth'],
  ] as const)('%s for %o: %s', (path, standing, expected) => {
    expect(target(path, standing)).toBe(expected);
  });

  it.each(area)('opens %s to the verified only', (path) => {
    expect(target(path, asClient)).toBe('allowed');
    expect(target(path, asAdmin)).toBe('allowed');
    expect(target(path, nobody)).toBe('/auth');
    expect(target(path, withoutToken)).toBe('/auth');
    expect(visit(path, asUnverified)).toEqual({
      allow: false,
      to: '/',
      message:
        'To access this feature, please verify your email by clicking the link we sent to your inbox.',
    });
  });

  it.each(open)('opens %s to everybody', (path) => {
    for (const standing of [nobody, asClient, asAdmin, asUnverified, withoutToken])
      expect(target(path, standing)).toBe('allowed');
  });

  it('leads to billing once when a plan was chosen before signing in', () => {
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
  ])('reads %s as the router does', (pathname, path) => {
    expect(asWritten(pathname)).toBe(path);
  });
});

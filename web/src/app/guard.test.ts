import { describe, expect, it } from 'vitest';
import { paths } from '../lib/paths.ts';
import { guard } from './guard.ts';

const client = { id: 'c', email_verified_at: '2026-01-01T00:00:00Z', role_id: 1 };
const unverifiedClient = { ...client, email_verified_at: null };
const signedIn = { user: client, hasToken: true };
const people = {
  'a visitor': { ...signedIn, user: null, hasToken: false },
  'a client': signedIn,
  'an admin': { ...signedIn, user: { ...client, role_id: 2 } },
  'an operator': { ...signedIn, user: { ...client, role_id: 3 } },
  'an unverified client': { ...signedIn, user: unverifiedClient },
  'an unverified admin': { ...signedIn, user: { ...unverifiedClient, role_id: 2 } },
  'a client without a token': { ...signedIn, hasToken: false },
};
type Who = keyof typeof people;
const verified: readonly Who[] = ['a client', 'an admin', 'an operator'];
const unverified: readonly Who[] = ['an unverified client', 'an unverified admin'];
const outside: readonly Who[] = ['a visitor', 'a client without a token'];
const everybody = [...verified, ...unverified, ...outside];

const area = [
  paths.dashboard,
  paths.credits,
  paths.checkout,
  paths.ask,
  paths.allPrompts,
  paths.history,
  paths.batch,
  paths.sheets,
  paths.profile,
  paths.changePassword,
  paths.payments,
  paths.orders,
] as const;
const open = [
  paths.plans,
  paths.billing,
  paths.about,
  paths.help,
  paths.terms,
  paths.privacy,
  paths.reset,
  paths.verify,
  paths.invitation,
] as const;
const noPage = null;

type Path = Parameters<typeof guard>[0]['path'];
const visit = (path: Path, who: Who, flags = {}) =>
  guard({ path, ...people[who], hasSelectedPlan: false, navigateToBilling: false, ...flags });
const target = (path: Path, who: Who, flags = {}) => {
  const decision = visit(path, who, flags);
  return decision.allow ? 'allowed' : decision.to;
};

describe('the guard', () => {
  it.each([
    [paths.root, [...verified, ...unverified, 'a client without a token'], 'allowed'],
    [paths.root, ['a visitor'], '/auth'],
    [paths.auth, verified, '/dashboard'],
    [paths.auth, unverified, '/'],
    [paths.auth, outside, 'allowed'],
    [paths.login, verified, '/dashboard'],
    [paths.login, unverified, '/'],
    [paths.login, outside, 'allowed'],
    [paths.register, verified, '/dashboard'],
    [paths.register, unverified, '/'],
    [paths.register, outside, 'allowed'],
    [paths.resendLink, unverified, 'allowed'],
    [paths.resendLink, [...verified, ...outside], '/'],
    [paths.clients, ['an admin', 'an operator'], 'allowed'],
    [paths.clients, ['a client'], '/dashboard'],
    [paths.clients, [...unverified, 'a client without a token'], '/'],
    [paths.clients, ['a visitor'], '/auth'],
    ...[paths.operator, paths.person, paths.catalogue, paths.providers].flatMap(
      (path) =>
        [
          [path, ['an operator'], 'allowed'],
          [path, ['a client', 'an admin'], '/dashboard'],
          [path, unverified, '/'],
          [path, outside, '/auth'],
        ] as const,
    ),
    [noPage, verified, '/dashboard'],
    [noPage, unverified, '/'],
    [noPage, outside, '/auth'],
  ] as const)('for %s and %s: %s', (path, callers, expected) => {
    for (const who of callers) expect([who, target(path, who)]).toEqual([who, expected]);
  });

  it.each(area)('opens %s only to people with a verified address', (path) => {
    for (const who of verified) expect(target(path, who)).toBe('allowed');
    for (const who of outside) expect(target(path, who)).toBe('/auth');
  });

  it.each([...area, paths.clients])('tells unverified people why %s is closed', (path) => {
    for (const who of unverified)
      expect(visit(path, who)).toEqual({
        allow: false,
        to: '/',
        message:
          'To access this feature, please verify your email by clicking the link we sent to your inbox.',
      });
  });

  it.each(open)('opens %s to everyone', (path) => {
    for (const who of everybody) expect(target(path, who)).toBe('allowed');
  });

  it('redirects once to billing when a plan was chosen before signing in', () => {
    const flags = { hasSelectedPlan: true, navigateToBilling: true };
    for (const path of [paths.dashboard, paths.root, paths.about, noPage])
      expect(visit(path, 'a client', flags)).toEqual({
        allow: false,
        to: '/auth/billing',
        clearBillingFlag: true,
      });
    expect(visit(paths.billing, 'a client', flags)).toEqual({
      allow: true,
      clearBillingFlag: true,
    });
    expect(target(paths.dashboard, 'a client', { ...flags, hasSelectedPlan: false })).toBe(
      'allowed',
    );
    expect(target(paths.dashboard, 'a client', { ...flags, navigateToBilling: false })).toBe(
      'allowed',
    );
  });

  it.each([...unverified, ...outside])(
    'leaves plan and flag to %s until they are verified',
    (who) => {
      const flags = { hasSelectedPlan: true, navigateToBilling: true };
      for (const path of [paths.root, paths.register, paths.billing, paths.dashboard, noPage])
        expect(visit(path, who, flags)).toEqual(visit(path, who));
    },
  );
});

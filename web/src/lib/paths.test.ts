import { expect, it } from 'vitest';
import { batchPath, findRoute, paths } from './paths.ts';

it('has exactly these routes', () => {
  expect(Object.values(paths).join(' ')).toBe(
    '/ /auth /auth/login /auth/register /auth/reset /auth/reset/new /auth/verify /auth/change-email /auth/invitation /auth/resendlink ' +
      '/auth/plans /auth/billing /auth/about /auth/help /auth/terms /auth/privacy ' +
      '/dashboard /credits /checkout /ask /ask/prompts /history /history/:id /sheets /profile /changepassword /clients /activity /operator /operator/people/:id /operator/catalogue /operator/providers /payments /orders',
  );
});

it('escapes the id in the path of a batch', () => {
  expect(batchPath('a/b')).toBe('/history/a%2Fb');
});

it.each([
  ['/', '/', '/'],
  ['/orders', '/orders', '/orders'],
  ['/Orders', '/orders', '/orders'],
  ['/ORDERS/', '/orders', '/orders'],
  ['/Dashboard//', '/dashboard', '/dashboard'],
  ['//dashboard', '/dashboard', '/dashboard'],
  ['/d%61shboard', '/dashboard', '/dashboard'],
  ['/Auth/Login/', '/auth/login', '/auth/login'],
  ['/operator/Catalogue', '/operator/catalogue', '/operator/catalogue'],
  ['/History/B1/', '/history/:id', '/history/B1'],
  ['/history/a%2FB', '/history/:id', '/history/a%2FB'],
])('reads %s as the page %s with the address %s', (pathname, path, address) => {
  expect(findRoute(pathname)).toEqual({ path, address });
});

it.each(['/nonsense', '/clients/x', '/auth/x', '/history/b1/rows', '/%E0%A4', '/orders%2F'])(
  'finds no page at %s',
  (pathname) => {
    expect(findRoute(pathname)).toBeNull();
  },
);

import { expect, it } from 'vitest';
import { batchPath, paths } from './paths.ts';

it('has exactly these routes', () => {
  expect(Object.values(paths).join(' ')).toBe(
    '/ /auth /auth/login /auth/register /auth/reset /auth/reset/new /auth/verify /auth/change-email /auth/invitation /auth/resendlink ' +
      '/auth/plans /auth/billing /auth/about /auth/help /auth/terms /auth/privacy ' +
      '/dashboard /credits /checkout /ask /history /history/:id /profile /changepassword /clients /activity /operator /operator/catalogue /payments /orders',
  );
});

it('escapes the id in the path of a batch', () => {
  expect(batchPath('a/b')).toBe('/history/a%2Fb');
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Endpoint, endpoints } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { specifiedBodies } from '../../../e2e/support/specified-bodies.ts';

/** The calls whose body the specification does not list. */
const others = `registerUser addClient passwordResetByAdmin sendResetLinkEmail login verifyLink
  resendLink resetPassword changePassword updateCreditCount createOrder fetchUserDetail
  confirmPayment getOrders getPayments userBillingAddress {hash} verifyAndUpdateUserDetails
  buyCredits getUsersPlan emedia/saveFile emedia/setPlan emedia/downloadUploadedCsv/{id}`;
const specified = [...Object.keys(specifiedBodies), ...others.split(/\s+/)];

const root = join(import.meta.dirname, '../..');
const code = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !path.includes('.test.'))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

it.each(specified)('makes the call %s with the body that the specification lists', (path) => {
  const all = Object.entries(endpoints) as [string, Endpoint][];
  const [name = '', endpoint] = all.find((entry) => entry[1].path === `/api/${path}`) ?? [];
  expect(endpoint?.body?.join(', ')).toBe(specifiedBodies[path]);
  // Once in an import and once in use.
  expect(code.match(new RegExp(`\\b${name}\\b`, 'g'))?.length).toBeGreaterThan(1);
});

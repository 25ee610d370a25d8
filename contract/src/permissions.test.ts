import { expect, it } from 'vitest';
import {
  assignableRoles,
  type Capability,
  can,
  capabilities,
  isAssignable,
  type RoleName,
  roleName,
  roles,
  rolesThatCan,
} from './permissions.ts';

/** Role × capability, written out once more so that a change of the table has to be meant. */
const table: Record<Capability, Record<RoleName, boolean>> = {
  useOwnCredits: { client: true, admin: false, operator: false },
  belongToAdmin: { client: true, admin: false, operator: false },
  deleteOwnAccount: { client: true, admin: true, operator: false },
  useWithoutPlan: { client: false, admin: true, operator: false },
  manageClients: { client: false, admin: true, operator: true },
  viewInstallation: { client: false, admin: false, operator: true },
  managePeople: { client: false, admin: false, operator: true },
  adjustCredits: { client: false, admin: false, operator: true },
  decideReviews: { client: false, admin: false, operator: true },
  editCatalogue: { client: false, admin: false, operator: true },
  editProviders: { client: false, admin: false, operator: true },
  readOutbox: { client: false, admin: false, operator: true },
};

const cases = (Object.keys(capabilities) as Capability[]).flatMap((capability) =>
  (Object.keys(roles) as RoleName[]).map((role) => ({
    role,
    capability,
    allowed: table[capability][role],
  })),
);

it.each(cases)('$role can $capability: $allowed', ({ role, capability, allowed }) => {
  expect(can(roles[role], capability)).toBe(allowed);
  expect(rolesThatCan(capability).includes(roles[role])).toBe(allowed);
});

it('grants an unknown role nothing', () => {
  for (const role of [0, 4, -1, 1.5, Number.NaN]) {
    expect(roleName(role)).toBeUndefined();
    expect(isAssignable(role)).toBe(false);
    for (const capability of Object.keys(capabilities) as Capability[])
      expect(can(role, capability)).toBe(false);
  }
});

it('lets operators assign the roles of clients and admins, never their own', () => {
  expect(assignableRoles).toEqual([roles.client, roles.admin]);
  expect(isAssignable(roles.operator)).toBe(false);
});

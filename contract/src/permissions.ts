/** The values of `role_id`. A role is a set of capabilities: a higher number has no more rights. */
export const roles = { client: 1, admin: 2, operator: 3 } as const;
export type RoleName = keyof typeof roles;
export type RoleId = (typeof roles)[RoleName];

/** Everything that depends on a person's role, with its meaning. */
export const capabilities = {
  useOwnCredits: 'Buy and spend submissions in their own name; the header shows the balance.',
  belongToAdmin: 'Be the client of an admin.',
  deleteOwnAccount: 'Delete their own account.',
  useWithoutPlan: 'Go to the dashboard without having chosen a plan.',
  manageClients:
    'Have clients: invite them, set their limits, give them submissions, act for them.',
  viewInstallation:
    'See every account, the audit log, the ledger checks, the payment reviews and the catalogue.',
  managePeople: 'Change roles, move clients between admins, suspend accounts.',
  adjustCredits: 'Correct the balance of any account.',
  decideReviews: 'Accept or refuse a payment that does not match its order.',
  editCatalogue: 'Change plans, packs and prices.',
  editProviders: 'Add, change and test the providers of models.',
  readOutbox: 'Read the emails that wait while no mail server is configured.',
} as const;
export type Capability = keyof typeof capabilities;

/** What each role may do, for the gate, the row scopes, the menu, the guard and the pages. */
export const permissions = {
  client: ['useOwnCredits', 'belongToAdmin', 'deleteOwnAccount'],
  admin: ['deleteOwnAccount', 'useWithoutPlan', 'manageClients'],
  operator: [
    'manageClients',
    'viewInstallation',
    'managePeople',
    'adjustCredits',
    'decideReviews',
    'editCatalogue',
    'editProviders',
    'readOutbox',
  ],
} as const satisfies Record<RoleName, readonly Capability[]>;

/** The roles that an operator can give and take. Operators are made by command on the server. */
export const assignableRoles = [roles.client, roles.admin] as const;

/** An unknown role, such as one from a newer version, may do nothing. */
export function can(roleId: number, capability: Capability): boolean {
  const name = roleName(roleId);
  return name !== undefined && mayDo(name, capability);
}

export function rolesThatCan(capability: Capability): RoleId[] {
  return roleNames.filter((name) => mayDo(name, capability)).map((name) => roles[name]);
}

export function roleName(roleId: RoleId): RoleName;
export function roleName(roleId: number): RoleName | undefined;
export function roleName(roleId: number): RoleName | undefined {
  return roleNames.find((name) => roles[name] === roleId);
}

export function isAssignable(roleId: number): boolean {
  return assignableRoles.some((role) => role === roleId);
}

const roleNames = Object.keys(roles) as RoleName[];

function mayDo(name: RoleName, capability: Capability): boolean {
  const granted: readonly Capability[] = permissions[name];
  return granted.includes(capability);
}

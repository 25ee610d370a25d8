import { can, type RoleId, roles, type SiteSettings } from '@rowmill/contract';
import type { Context } from '../core/context.ts';
import { inTransaction } from '../db/transaction.ts';
import { giftCause } from '../domains/credits/gifts.ts';
import { moveCredits } from '../domains/credits/ledger.ts';
import { ensureLimits } from '../domains/credits/store.ts';
import { seedUser } from '../domains/identity/accounts/registration.ts';
import { getPlan } from '../domains/plans/store.ts';
import { activatePlan } from '../domains/plans/subscriptions.ts';

/** Public, in the README and on the sign-in page: the demo only runs on a loopback address. */
const password = 'rowmill-demo';

export const demoPeople: NonNullable<SiteSettings['demo']>['people'] = [
  { email: 'client@demo.test', password, role: 'Client with 1,000 submissions' },
  { email: 'admin@demo.test', password, role: 'Admin with two clients' },
  { email: 'operator@demo.test', password, role: 'Operator of the installation' },
];

interface DemoPerson {
  email: string;
  name: readonly [string, string];
  roleId: RoleId;
  submissions: number;
  clients?: readonly DemoPerson[];
}

const people: readonly DemoPerson[] = [
  { email: 'client@demo.test', name: ['Clara', 'Quayle'], roleId: roles.client, submissions: 1000 },
  {
    email: 'admin@demo.test',
    name: ['Adam', 'Kelly'],
    roleId: roles.admin,
    submissions: 5000,
    clients: [
      {
        email: 'bakery@demo.test',
        name: ['Bella', 'Crellin'],
        roleId: roles.client,
        submissions: 300,
      },
      { email: 'museum@demo.test', name: ['Max', 'Moore'], roleId: roles.client, submissions: 120 },
    ],
  },
  {
    email: 'operator@demo.test',
    name: ['Olive', 'Corlett'],
    roleId: roles.operator,
    submissions: 0,
  },
];

/** Creates the demo people at the first start; later starts leave them as they are. */
export async function seedDemo(ctx: Context): Promise<void> {
  const passwordHash = await ctx.passwords.hash(password);
  await inTransaction(ctx, async (inside) => {
    for (const person of people) await seedPerson(inside, person, { passwordHash, adminId: null });
  });
}

async function seedPerson(
  ctx: Context,
  person: DemoPerson,
  { passwordHash, adminId }: { passwordHash: string; adminId: string | null },
) {
  const { email, name, roleId, submissions, clients = [] } = person;
  const id = await seedUser(ctx, {
    email,
    first_name: name[0],
    last_name: name[1],
    roleId,
    adminId,
    passwordHash,
  });
  if (!id) return;
  if (adminId) await ensureLimits(ctx.db, id);
  // Counts as given by the admin, who may take it back.
  const cause = adminId ? `${giftCause(adminId)}demo` : 'demo';
  if (submissions > 0)
    await moveCredits(ctx, {
      userId: id,
      from: 'external',
      to: 'available',
      amount: submissions,
      cause,
    });
  if (can(roleId, 'useOwnCredits')) {
    const plan = await getPlan(ctx.db, 'quarter');
    await activatePlan(ctx, { actorId: id, subjectId: id, plan: { ...plan, submissions: 0 } });
  }
  for (const client of clients) await seedPerson(ctx, client, { passwordHash, adminId: id });
}

import { randomUUID } from 'node:crypto';
import { type Endpoint, type EndpointName, endpoints, roles } from '@rowmill/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { fulfilOrder } from '../src/domains/billing/fulfil-order.ts';
import { makeOperator } from '../src/domains/identity/make-operator.ts';
import { entriesOf, rowsAbout, withoutAudit } from './audit-proof.ts';
import { rows } from './authority-table.ts';
import { send } from './callers.ts';
import { arrived } from './cast.ts';
import { type Person, password } from './people.ts';
import { pack, packPrice, type Shop, startShop, until } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await startShop({ LOG_LEVEL: 'silent' });
  // What happens at the provider is found out by the calls themselves.
  shop.stripe.sender.isMute = true;
});

async function makeCast() {
  const [admin, other, operator] = await Promise.all([
    arrived(shop, { roleId: roles.admin, submissions: 100 }),
    arrived(shop, { roleId: roles.admin }),
    arrived(shop, { roleId: roles.operator }),
  ]);
  const newcomer = await arrived(shop, { isVerified: false });
  return { admin, other, operator, newcomer, client: await arrived(shop, { adminId: admin.id, submissions: 10 }) };
}
type Cast = Awaited<ReturnType<typeof makeCast>>;
type Role = keyof Cast;

interface Case {
  words: string;
  name: EndpointName;
  /** Who sends it; of a mailed link, who holds it. */
  by: Role;
  /** Each of them must find an entry about himself; the sender, unless others are named. */
  about?: Role[];
  ask: (cast: Cast) => Record<string, unknown> | Promise<Record<string, unknown>>;
}

/** Every call that a person makes in his own name, or nobody at all. */
const ownCalls = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(([, { actAs }]) => actAs === 'self');

const sender = { anyone: 'client', session: 'client', verified: 'client', admin: 'admin', operator: 'operator' } as const;

const newPassword = 'slow harbour 16 copper';
const reason = 'For the proof';
const ofAdmin = { by: 'admin', about: ['client'] } as const satisfies Partial<Case>;
const ofOperator = { by: 'operator', about: ['client'] } as const satisfies Partial<Case>;
const gift = (change: number) => ({ user_id, change, reason });
const sold = () => ({ name: randomUUID(), position: 1, is_sold: true });
const plan = { price_minor: 500, period_days: 30, submissions: 1, features: [], highlighted: false };

/** Those of the table pass the door; these write. */
const further: Case[] = [
  ...linkCases(),
  { words: 'with the right password', name: 'changePassword', by: 'client', ask: () => ({ current_password: password, password: newPassword }) },
];

import { type RoleId, roles } from '@rowmill/contract';
import {
  type ActingFor,
  type Actor,
  authenticateActor,
  authoriseActingFor,
} from '../../src/core/authority.ts';
import type { Context } from '../../src/core/context.ts';
import type { RowResult } from '../../src/domains/batches/store/results.ts';
import type { PaymentSnapshot, ProviderEvent } from '../../src/domains/billing/port.ts';
import { seedUser } from '../../src/domains/identity/accounts/registration.ts';
import type { outcomeOf } from './expect.ts';
import { type Batch, type Question, Reference, type User } from './reference.ts';
import type { WaitingCall } from './scripted-chat.ts';
import type { SimulatedApp, SliceJob } from './simulated-app.ts';

export interface LeasedSlice {
  lease: SliceJob['lease'];
  batch: Batch;
  first: number;
  open: { row: number; isBlank: boolean }[];
  /** Some of its rows were not asked. */
  isCut: boolean;
}

/** A single prompt or preview that waits for the model. */
export interface WaitingWork {
  calls: WaitingCall[];
  end: ReturnType<typeof outcomeOf>;
  of: { question: Question } | { preview: Batch; rows: number[] };
}

/** Everything a walk works with. */
export interface Simulation {
  app: SimulatedApp;
  reference: Reference;
  leased: LeasedSlice[];
  waiting: WaitingWork[];
  /** Recently stored results, to be stored again. */
  stored: { batch: Batch; results: RowResult[] }[];
  /** Webhooks that providers sent, and the ids of those that arrived. */
  events: { provider: 'stripe' | 'paypal'; id: string; message: Omit<ProviderEvent, 'id'> }[];
  delivered: Set<string>;
  /** Old snapshots of payments, to be applied late. */
  staleSnapshots: { orderId: string; paymentId: string; snapshot: PaymentSnapshot }[];
  operator: Actor;
}

let number = 0;

/** Starts with new users who own nothing. */
export async function createSimulation(app: SimulatedApp): Promise<Simulation> {
  await app.empty();
  const reference = new Reference();
  const admin = await addUser(app.ctx, roles.admin, null);
  reference.users.push(personOf(admin, [actingOf(admin, admin)]));
  for (let client = 0; client < 3; client++) {
    const id = await addUser(app.ctx, roles.client, admin);
    reference.users.push(personOf(id, [actingOf(id, id), actingOf(admin, id)]));
  }
  const operator = actorOf(await addUser(app.ctx, roles.operator, null), roles.operator);
  return {
    app,
    reference,
    leased: [],
    waiting: [],
    stored: [],
    events: [],
    delivered: new Set(),
    staleSnapshots: [],
    operator,
  };
}

function personOf(id: string, actors: ActingFor[]): User {
  return { id, actors, available: 0, spent: 0, debt: 0, given: 0 };
}

async function addUser(ctx: Context, roleId: RoleId, adminId: string | null): Promise<string> {
  const user = {
    email: `walker-${++number}@example.test`,
    first_name: 'Pat',
    last_name: 'Walker',
    passwordHash: 'none',
  };
  const id = await seedUser(ctx, { ...user, roleId, adminId });
  if (!id) throw new Error('The address is taken.');
  return id;
}

function actingOf(actorId: string, subjectId: string): ActingFor {
  const roleId = actorId === subjectId ? roles.client : roles.admin;
  return authoriseActingFor({ actor: actorOf(actorId, roleId), subjectId });
}

function actorOf(id: string, roleId: RoleId): Actor {
  return authenticateActor({
    id,
    sessionId: 'none',
    roleId,
    isVerified: true,
    ip: '127.0.0.1',
    siteUrl: 'http://127.0.0.1',
  });
}

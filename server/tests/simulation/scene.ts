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
import { type Batch, type Person, type Question, Reference } from './reference.ts';
import type { WaitingCall } from './scripted-chat.ts';
import type { SimulatedApp, SliceJob } from './simulated-app.ts';

/** A slice in the hands of a worker. */
export interface LeasedSlice {
  lease: SliceJob['lease'];
  batch: Batch;
  first: number;
  open: { row: number; isBlank: boolean }[];
  isCut: boolean;
}

/** A question or a preview that waits for the model. */
export interface WaitingWork {
  calls: WaitingCall[];
  end: ReturnType<typeof outcomeOf>;
  of: { question: Question } | { preview: Batch; rows: number[]; held: number };
}

/** Everything that a walk has before it: the product, its reference told anew, and what is in somebody's hands. */
export interface Scene {
  app: SimulatedApp;
  reference: Reference;
  hand: LeasedSlice[];
  waiting: WaitingWork[];
  /** Results that were settled lately, to be settled once more. */
  settled: { batch: Batch; results: RowResult[] }[];
  /** What providers have told, and what of it has arrived. */
  events: { provider: 'stripe' | 'paypal'; id: string; message: Omit<ProviderEvent, 'id'> }[];
  delivered: Set<string>;
  /** How payments once stood, in the hands of somebody slow. */
  oldNews: { orderId: string; paymentId: string; snapshot: PaymentSnapshot }[];
  operator: Actor;
}

let number = 0;

/** New people who have nothing yet, and nobody else. */
export async function createScene(app: SimulatedApp): Promise<Scene> {
  await app.empty();
  const reference = new Reference();
  const admin = await settle(app.ctx, roles.admin, null);
  reference.people.push(personOf(admin, [actingOf(admin, admin)]));
  for (let client = 0; client < 3; client++) {
    const id = await settle(app.ctx, roles.client, admin);
    reference.people.push(personOf(id, [actingOf(id, id), actingOf(admin, id)]));
  }
  const operator = actorOf(await settle(app.ctx, roles.operator, null), roles.operator);
  return {
    app,
    reference,
    hand: [],
    waiting: [],
    settled: [],
    events: [],
    delivered: new Set(),
    oldNews: [],
    operator,
  };
}

function personOf(id: string, actings: ActingFor[]): Person {
  return { id, actings, available: 0, spent: 0, owed: 0, given: 0 };
}

async function settle(ctx: Context, roleId: RoleId, adminId: string | null): Promise<string> {
  const person = {
    email: `walker-${++number}@example.test`,
    first_name: 'Pat',
    last_name: 'Walker',
    passwordHash: 'none',
  };
  const id = await seedUser(ctx, { ...person, roleId, adminId });
  if (!id) throw new Error('The address is taken.');
  return id;
}

function actingOf(actorId: string, subjectId: string): ActingFor {
  const roleId = actorId === subjectId ? roles.client : roles.admin;
  return authoriseActingFor({ actor: actorOf(actorId, roleId), subjectId });
}

function actorOf(id: string, roleId: RoleId): Actor {
  return authenticateActor({ id, sessionId: 'none', roleId, isVerified: true, ip: '127.0.0.1' });
}

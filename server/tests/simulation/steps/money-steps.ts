import { updateCredits } from '../../../src/domains/clients/credits.ts';
import { giveCredits, takeBackCredits } from '../../../src/domains/credits/gifts.ts';
import { moveCredits } from '../../../src/domains/credits/ledger.ts';
import { expectCall } from '../expect.ts';
import type { Random } from '../random.ts';
import { credit } from '../reference.ts';
import type { Simulation } from '../simulation-state.ts';

/** Grants submissions, sometimes with a repeated cause. */
export async function grant(
  { app, reference }: Simulation,
  random: Random,
): Promise<string | null> {
  const user = random.pick(reference.users);
  if (!user) return null;
  const amount = random.chance(0.1) ? 1 + random.below(2_000) : 1 + random.below(60);
  const cause = `grant:${random.chance(0.2) ? random.below(5) : random.seed()}`;
  const isKnown = reference.causes.has(`${user.id} ${cause}`);
  const call = () =>
    moveCredits(app.ctx, { userId: user.id, from: 'external', to: 'available', amount, cause });
  const change = (hasMoved: boolean) => {
    if (hasMoved === isKnown)
      throw new Error(`the cause ${cause} was ${isKnown ? '' : 'not '}known`);
    reference.causes.add(`${user.id} ${cause}`);
    if (!isKnown) reference.grant(user, amount);
  };
  return `${amount}: ${await expectCall(app, random, { expected: { outcome: 'ok', change }, call })}`;
}

/** An operator adjusts a balance. */
export async function adjust(
  { app, reference, operator }: Simulation,
  random: Random,
): Promise<string | null> {
  const user = random.pick(reference.users);
  if (!user) return null;
  const amount = 1 + random.below(80);
  const change = random.chance(0.5) ? amount : -amount;
  const isRefused = change < 0 && user.available < amount;
  const adjusted = () => {
    if (change > 0) return reference.grant(user, amount);
    user.available -= amount;
    reference.granted -= amount;
  };
  const expected = isRefused
    ? { outcome: 'insufficient_credits' }
    : { outcome: 'ok', change: adjusted };
  const call = () =>
    updateCredits(app.ctx, operator, { user_id: user.id, change, reason: 'Adjusted.' });
  return `${change}: ${await expectCall(app, random, { expected, call })}`;
}

/** An admin gives submissions to a client, or takes them back. */
export async function give({ app, reference }: Simulation, random: Random): Promise<string | null> {
  const [admin] = reference.users;
  const client = random.pick(reference.users.slice(1));
  if (!admin || !client) return null;
  const amount = 1 + random.below(40);
  const isGift = random.chance(0.6);
  const transfer = { adminId: admin.id, clientId: client.id, amount };
  const [from, to] = isGift ? [admin, client] : [client, admin];
  const change = () => {
    from.available -= amount;
    credit(to, amount);
    client.given += isGift ? amount : -amount;
  };
  const free = client.given - reference.reservedBy(client);
  const isRefused = from.available < amount || (!isGift && free < amount);
  const expected = isRefused ? { outcome: 'insufficient_credits' } : { outcome: 'ok', change };
  const call = () => (isGift ? giveCredits : takeBackCredits)(app.ctx, transfer);
  return `${isGift ? '' : 'back '}${amount}: ${await expectCall(app, random, { expected, call })}`;
}

import { updateCredits } from '../../../src/domains/clients/credits.ts';
import { giveCredits, takeBackCredits } from '../../../src/domains/credits/give-credits.ts';
import { moveCredits } from '../../../src/domains/credits/move-credits.ts';
import type { Chance } from '../chance.ts';
import { hold } from '../expect.ts';
import { gain } from '../reference.ts';
import type { Scene } from '../scene.ts';

/** Submissions come in; the same cause comes twice now and then. */
export async function grant({ app, reference }: Scene, chance: Chance): Promise<string | null> {
  const person = chance.pick(reference.people);
  if (!person) return null;
  const amount = chance.is(0.1) ? 1 + chance.below(2_000) : 1 + chance.below(60);
  const cause = `grant:${chance.is(0.2) ? chance.below(5) : chance.seed()}`;
  const isKnown = reference.causes.has(`${person.id} ${cause}`);
  const call = () =>
    moveCredits(app.ctx, { userId: person.id, from: 'external', to: 'available', amount, cause });
  const change = (hasMoved: boolean) => {
    if (hasMoved === isKnown)
      throw new Error(`the cause ${cause} was ${isKnown ? '' : 'not '}known`);
    reference.causes.add(`${person.id} ${cause}`);
    if (!isKnown) reference.grant(person, amount);
  };
  return `${amount}: ${await hold(app, chance, { expected: { outcome: 'ok', change }, call })}`;
}

/** An operator puts a balance right. */
export async function adjust(
  { app, reference, operator }: Scene,
  chance: Chance,
): Promise<string | null> {
  const person = chance.pick(reference.people);
  if (!person) return null;
  const amount = 1 + chance.below(80);
  const change = chance.is(0.5) ? amount : -amount;
  const isRefused = change < 0 && person.available < amount;
  const moved = () => {
    if (change > 0) return reference.grant(person, amount);
    person.available -= amount;
    reference.granted -= amount;
  };
  const expected = isRefused
    ? { outcome: 'insufficient_credits' }
    : { outcome: 'ok', change: moved };
  const call = () =>
    updateCredits(app.ctx, operator, { user_id: person.id, change, reason: 'Put right.' });
  return `${change}: ${await hold(app, chance, { expected, call })}`;
}

/** From an admin to a client, or back what he has given. */
export async function give({ app, reference }: Scene, chance: Chance): Promise<string | null> {
  const [admin] = reference.people;
  const client = chance.pick(reference.people.slice(1));
  if (!admin || !client) return null;
  const amount = 1 + chance.below(40);
  const isGift = chance.is(0.6);
  const gift = { adminId: admin.id, clientId: client.id, amount };
  const [from, to] = isGift ? [admin, client] : [client, admin];
  const change = () => {
    from.available -= amount;
    gain(to, amount);
    client.given += isGift ? amount : -amount;
  };
  const isRefused = from.available < amount || (!isGift && client.given < amount);
  const expected = isRefused ? { outcome: 'insufficient_credits' } : { outcome: 'ok', change };
  const call = () => (isGift ? giveCredits : takeBackCredits)(app.ctx, gift);
  return `${isGift ? '' : 'back '}${amount}: ${await hold(app, chance, { expected, call })}`;
}

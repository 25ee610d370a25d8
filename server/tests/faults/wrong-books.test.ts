import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkBooks } from '../../src/domains/credits/check-books.ts';
import { arrived } from '../support/cast.ts';
import type { Person } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let person: Person;
let other: Person;
beforeAll(async () => {
  world = await startWorld({ CHAT_BASE_URL: 'demo' });
  person = await arrived(world, { submissions: 50 });
  other = await arrived(world, { submissions: 50 });
});

const ask = (by: Person) => world.call('askChatGpt', { question: 'Is all well?', query: {} }, by);
const startBatch = async (by: Person) => {
  const file = (await world.upload('Text\none\n', by)).body.file.id;
  return world.call(
    'askChatGpt',
    { questionWithVariable: '{{Text}}', query: { file, start: true } },
    by,
  );
};
const counted = async (event: string) => {
  const { values } = await world.app.ctx.events.get();
  return values.find(({ labels }) => labels.event === event)?.value ?? 0;
};
/** As only a mistake of ours, or a hand in the database, could do it. */
const add = (amount: number) =>
  sql`update credit_accounts set available = available + ${amount} where user_id = ${person.id}`.execute(
    world.app.ctx.db,
  );

describe('somebody whose books are not right', () => {
  it('starts nothing new, and the operator is told; others go on', async () => {
    await add(7);
    await checkBooks(world.app.ctx);
    await checkBooks(world.app.ctx);
    for (const refused of [await ask(person), await startBatch(person)]) {
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({
        code: 'not_now',
        message: expect.stringContaining('do not add up'),
      });
    }
    expect((await ask(other)).status).toBe(200);
    expect([await counted('books_wrong'), await counted('account_frozen')]).toEqual([2, 1]);
  });

  it('has them as they were: nothing is put right by itself', async () => {
    expect((await world.call('getAvailableCredits', {}, person)).body.creditsAvailable).toBe(57);
  });

  it('goes on once a look finds them right', async () => {
    await add(-7);
    expect((await ask(person)).status).toBe(409);
    await checkBooks(world.app.ctx);
    expect((await ask(person)).status).toBe(200);
    expect((await startBatch(person)).status).toBe(200);
    expect(await counted('account_thawed')).toBe(1);
  });
});

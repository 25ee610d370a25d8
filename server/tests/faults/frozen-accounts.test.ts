import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { runLedgerChecks } from '../../src/domains/credits/ledger-checks.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestUser } from '../support/users.ts';
import { createUser } from '../support/users.ts';

const server = await startTestServer({ CHAT_BASE_URL: 'demo' });
const person = await createUser(server, { submissions: 50 });
const other = await createUser(server, { submissions: 50 });

const ask = (by: TestUser) => server.ask({ question: 'Is all well?', query: {} }, by);
const startBatch = async (by: TestUser) => {
  const file = (await server.upload('Text\none\n', by)).body.file.id;
  return server.ask({ questionWithVariable: '{{Text}}', query: { file, start: true } }, by);
};
const counted = async (event: string) => {
  const { values } = await server.app.ctx.events.get();
  return values.find(({ labels }) => labels.event === event)?.value ?? 0;
};
/** Changes a balance without a ledger entry, as only a bug or a manual change could. */
const add = (amount: number) =>
  sql`update credit_accounts set available = available + ${amount} where user_id = ${person.id}`.execute(
    server.app.ctx.db,
  );

describe('an account with a failed ledger check', () => {
  it('starts no new work and is reported to the operator, while other accounts continue', async () => {
    await add(7);
    await runLedgerChecks(server.app.ctx);
    await runLedgerChecks(server.app.ctx);
    for (const refused of [await ask(person), await startBatch(person)]) {
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({
        code: 'not_now',
        message: expect.stringContaining('do not add up'),
      });
    }
    const file = (await server.upload('Text\none\n', person)).body.file.id;
    const quoted = await server.ask({ query: { file, quote: true } }, person);
    expect(quoted.body.quote?.blocked).toContain('do not add up');
    expect((await ask(other)).status).toBe(200);
    expect([await counted('ledger_check_failed'), await counted('account_frozen')]).toEqual([2, 1]);
  });

  it('is not corrected automatically', async () => {
    expect(await server.balance(person)).toBe(57);
  });

  it('continues once the checks pass again', async () => {
    await add(-7);
    expect((await ask(person)).status).toBe(409);
    await runLedgerChecks(server.app.ctx);
    expect((await ask(person)).status).toBe(200);
    expect((await startBatch(person)).status).toBe(200);
    expect(await counted('account_unfrozen')).toBe(1);
  });
});

import { expect, it } from 'vitest';
import { whenEnded, whenReleased } from '../support/batches.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startWithProviders } from '../support/providers.ts';
import { until } from '../support/waiting.ts';

const { server, first, second, client, addProvider, addModel, start, stateOf } =
  await startWithProviders();
const { db } = server.app.ctx;
const rows = 12;
/** Three refusals before the first answer start a cooldown. */
const refusedBeforeCooldown = 3;
const ended = (id: string) => whenEnded(server, client, id);

/** Starts a batch whose provider is down, so it is paused. */
async function startPaused(model: string): Promise<string> {
  const id = await start(model, { rows });
  await until(async () => (await stateOf(id)) === 'paused');
  await whenReleased(server, id);
  return id;
}

/** As if its slice had crashed two processes, and these rows one while in quarantine. */
async function suspect(batchId: string, suspected: readonly number[]): Promise<void> {
  const counts = Object.fromEntries(suspected.map((row) => [row, 1]));
  await db
    .updateTable('slices')
    .set({ crash_count: 2, row_crash_counts: JSON.stringify(counts) as never })
    .where('batch_id', '=', batchId)
    .execute();
}

it('a row in quarantine is sent while another provider is down', async () => {
  const { id: provider } = await addProvider();
  const [other, own] = [await addModel(provider), await addModel(null)];
  for (const chat of [first, second]) chat.behave({ down: true });
  const lost = await startPaused(other.name);
  const suspected = await startPaused(own.name);
  await suspect(suspected, [0]);
  first.behave({ down: false });
  const neighbour = await start(own.name, { rows });
  for (const id of [suspected, neighbour])
    expect(await ended(id)).toMatchObject({ answered: rows, failed: 0 });
  expect(await stateOf(lost)).toBe('paused');
  await server.call('stopFileProcessing', { id: lost }, client);
  await ended(lost);
  await expectLedgerChecksToPass(server);
});

it('a row in quarantine holds up nothing while its own provider cools down', async () => {
  const { id: provider } = await addProvider();
  const model = await addModel(provider);
  second.behave({ down: true });
  const suspected = await startPaused(model.name);
  await suspect(suspected, [...Array(rows).keys()]);
  second.behave({ down: false, status: 429, retryAfter: 600 });
  // After some refusals the key cools down, and the other rows wait.
  const refused = () => second.calls.filter(({ status }) => status === 429).length;
  await expect.poll(refused).toBeGreaterThanOrEqual(refusedBeforeCooldown);
  const neighbour = await start(undefined, { rows });
  expect(await ended(neighbour)).toMatchObject({ answered: rows, failed: 0 });
  await server.call('stopFileProcessing', { id: suspected }, client);
  expect(await ended(suspected)).toMatchObject({ answered: 0, failed: 0 });
  await expectLedgerChecksToPass(server);
});

import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { minute } from '../../src/lib/clock.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startWithProviders } from '../support/providers.ts';
import { until } from '../support/waiting.ts';

/** By how much the clock of waits and rates is ahead. It never steps back. */
let ahead = 0;
const realNow = performance.now.bind(performance);
vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ahead);
afterAll(() => vi.restoreAllMocks());

const { server, first, second, client, ...stage } = await startWithProviders();
const { addProvider, addModel, ask, start, batchNow, stateOf } = stage;
afterEach(async () => {
  second.behave({ status: null });
  await expectLedgerChecksToPass(server);
});

it.each([503, 529])(
  'the fallback answers after half a minute of nothing but %i',
  async (status) => {
    const fallback = await addModel(null, { offered_to: 'none' });
    const { id: provider } = await addProvider();
    const model = await addModel(provider, { fallback: fallback.name });
    const calls = second.calls.length;
    second.behave({ status });
    const id = await start(model.name);
    await until(() => second.calls.length > calls + 20);
    expect(await batchNow(id)).toMatchObject({ state: 'running', answered: 0 });
    ahead += minute / 2;
    await until(async () => (await stateOf(id)) !== 'running');
    expect(await batchNow(id)).toMatchObject({ state: 'completed', answered: 12, charged: 36 });
    const { body } = await server.call('getRows', { id, limit: 20 }, client);
    const { host } = new URL(first.url);
    for (const row of body.rows) expect(row.answered_by).toBe(`fake-small at ${host}`);
    // A single prompt is answered too, and operators see who answers until the provider is up.
    expect((await ask(model.name)).status).toBe(200);
    expect((await server.call('getOverview', {}, stage.operator)).body.failed_over).toEqual([
      { model: model.label, fallback: fallback.label },
    ]);
    second.behave({ status: null });
    expect(await server.call('testProvider', { id: provider }, stage.operator)).toMatchObject({
      body: { works: true },
    });
    expect((await server.call('getOverview', {}, stage.operator)).body.failed_over).toEqual([]);
  },
);

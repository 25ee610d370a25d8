import { expect, it, onTestFinished } from 'vitest';
import type { Behaviour } from '../../../fakes/chat/behaviour.ts';
import { startFakeChat } from '../../../fakes/chat/server.ts';
import { BatchClient } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { modelToSave } from '../support/models.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const concurrency = 64;
/** The calls in flight until a provider has answered once. */
const firstCalls = 3;
/** More than one slice, so that the engine has to fetch others meanwhile. */
const rows = 1_000;
/** More slices than the engine takes at once. */
const others = { batches: 4, rows: 3_000 };

const { chat } = await startChat();
const server = await startTestServer(
  { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: `${concurrency}` },
  { probeIntervalMilliseconds: 200 },
);
const operator = await createUser(server, { roleId: 3 });
const neighbour = await BatchClient.create(server, 100_000);
const other = await BatchClient.create(server, 0);

const hour = 3_600_000;
const faults: Record<string, Partial<Behaviour>> = {
  'is unreachable': { down: true },
  'never answers': { latency: hour },
  'answers 500': { status: 500 },
  'refuses the key': { status: 401 },
  'refuses every request': { status: 400 },
};

it.each(Object.entries(faults))(
  'a provider that %s takes no call in flight from another one',
  async (name, behaviour) => {
    const failing = await startFakeChat();
    onTestFinished(() => failing.close());
    const model = await addModel(name, failing.url);
    const ids: string[] = [];
    for (let batch = 0; batch < others.batches; batch++) {
      const prompts = Array.from({ length: others.rows }, (_, row) => `lost ${row}`);
      if (batch === 1) failing.behave(behaviour);
      ids.push((await other.start(prompts, { query: { model } })).id);
    }
    const calls = chat.calls.length;
    const answered = () => chat.calls.filter(({ prompt }) => prompt.startsWith(name)).length;
    const prompts = Array.from({ length: rows }, (_, row) => `${name} ${row} [[held]]`);
    const { id } = await neighbour.start(prompts);
    for (let sent = 0; sent < rows; ) {
      const isFirst = calls === 0 && sent === 0;
      const wanted = isFirst ? firstCalls : Math.min(concurrency, rows - sent);
      // As many as it may have at once, every time.
      await until(() => chat.inFlight === wanted && answered() === sent + wanted);
      sent += wanted;
      for (const batch of ids) await other.play(batch);
      chat.releaseHeld();
    }
    expect(await neighbour.whenEnded(id)).toMatchObject({ answered: rows, failed: 0 });
    for (const batch of ids) await other.stop(batch);
    await expectLedgerChecksToPass(server);
  },
);

async function addModel(name: string, address: string): Promise<string> {
  const provider = { name, kind: 'openai' as const, address, concurrency, is_enabled: true };
  const { body } = await server.call('saveProvider', provider, operator);
  const model = { ...modelToSave, name: name.replaceAll(' ', '-'), submissions_per_row: 0 };
  const saved = { ...model, provider_id: body.provider.id };
  expect(await server.call('saveModel', saved as never, operator)).toMatchObject({ status: 200 });
  return model.name;
}

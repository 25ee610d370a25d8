import { signInDemoClient, startBatch } from '../../harness/api-client.ts';
import {
  behave,
  callsAt,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../harness/processes.ts';
import { seconds as inSeconds, pass } from './totals.ts';

/** Seconds in which the engine may find the provider's limit. */
const warmUp = 20;

/** A provider that allows some calls per second and answers 429 to all others. */
export async function limitedProvider({
  perSecond,
  seconds,
}: {
  perSecond: number;
  seconds: number;
}): Promise<string> {
  const rows = perSecond * seconds * 2;
  const limit = ['--limit-per-second', `${perSecond}`];
  await using chat = await startFakeChatProcess('--latency', '100', ...limit);
  await using server = await startProduct(
    { LOG_LEVEL: 'silent', CHAT_BASE_URL: chat.url },
    await prepareData(rows),
  );
  const client = await signInDemoClient(server.url);
  const id = await startBatch(client, rows);
  await pass(seconds * 1_000);
  const calls = await callsAt(chat.url);
  await client.call('stopFileProcessing', { id });
  const steadyFrom = (calls[0]?.at ?? 0) + warmUp * 1_000;
  const steady = calls.filter(({ at }) => at >= steadyFrom);
  const answered = steady.filter(({ status }) => status === 200);
  const measured = ((answered.at(-1)?.at ?? 0) - steadyFrom) / 1_000;
  const refused = (100 * (steady.length - answered.length)) / steady.length;
  const refusedEarly = calls.filter(({ at, status }) => status === 429 && at < steadyFrom);
  return (
    `a limit of ${perSecond} calls per second, 16 allowed in flight: ` +
    `${(answered.length / measured).toFixed(2)} answers per second ` +
    `from second ${warmUp} to ${seconds}, ${refused.toFixed(1)}% refused; ` +
    `in the first ${warmUp} seconds ${refusedEarly.length} refused`
  );
}

/** A provider that is down for a while. */
export async function outage({ seconds }: { seconds: number }): Promise<string> {
  const rows = 3_000;
  await using chat = await startFakeChatProcess('--latency', '50');
  await using server = await startProduct(
    { LOG_LEVEL: 'silent', CHAT_BASE_URL: chat.url },
    await prepareData(rows),
  );
  const client = await signInDemoClient(server.url);
  const id = await startBatch(client, rows);
  const readBatch = async () => (await client.call('getBatch', { id })).batch;
  while ((await readBatch()).answered < rows / 3) await pass(50);
  await behave(chat.url, { down: true });
  const down = Date.now();
  while ((await readBatch()).state !== 'paused') await pass(20);
  const paused = Date.now();
  await pass(seconds * 1_000 - (paused - down));
  const whilePaused = (await callsAt(chat.url)).filter(({ at }) => at > paused).length;
  await behave(chat.url, { down: false });
  const up = Date.now();
  const ended = await client.whenEnded(id);
  const first = (await callsAt(chat.url)).find(
    ({ at, prompt }) => at > up && prompt.startsWith('Say'),
  );
  return (
    `a provider down for ${seconds} s: paused after ${inSeconds(paused - down)} s, ` +
    `${whilePaused} calls while paused, resumed ${inSeconds((first?.at ?? 0) - up)} s after the end; ` +
    `answered ${ended.answered} of ${rows}, failed ${ended.failed}`
  );
}

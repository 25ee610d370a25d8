import {
  behave,
  callsAt,
  clientAt,
  prepareData,
  startBatch,
  startFakeChatProcess,
  startProduct,
} from '../../harness/product-process.ts';

const settling = 20;

/** D3: a provider that allows so many calls a second, and says nothing but "too many". */
export async function limitedProvider({
  perSecond,
  seconds,
}: {
  perSecond: number;
  seconds: number;
}): Promise<string> {
  const rows = perSecond * seconds * 2;
  await using chat = await startFakeChatProcess(
    '--latency',
    '100',
    '--limit-per-second',
    `${perSecond}`,
  );
  await using server = await startProduct(
    { LOG_LEVEL: 'silent', CHAT_BASE_URL: chat.url },
    await prepareData(rows),
  );
  const client = await clientAt(server.url);
  const id = await startBatch(client, rows);
  await pass(seconds);
  const calls = await callsAt(chat.url);
  await client.call('stopFileProcessing', { id });
  const began = calls[0]?.at ?? 0;
  const steady = calls.filter(({ at }) => at >= began + settling * 1_000);
  const answered = steady.filter(({ status }) => status === 200);
  const measured = ((answered.at(-1)?.at ?? 0) - began) / 1_000 - settling;
  return (
    `a limit of ${perSecond} calls a second, ceiling 16: ${(answered.length / measured).toFixed(2)} answers a second ` +
    `from second ${settling} to ${seconds}, refused ${share(steady.length - answered.length, steady.length)}; ` +
    `in the first ${settling} seconds refused ${calls.filter(({ at, status }) => status === 429 && at < began + settling * 1_000).length}`
  );
}

/** D5: nobody answers for a while. */
export async function outage({ seconds }: { seconds: number }): Promise<string> {
  const rows = 3_000;
  await using chat = await startFakeChatProcess('--latency', '50');
  await using server = await startProduct(
    { LOG_LEVEL: 'silent', CHAT_BASE_URL: chat.url },
    await prepareData(rows),
  );
  const client = await clientAt(server.url);
  const id = await startBatch(client, rows);
  const batch = async () => (await client.call('getBatch', { id })).batch;
  while ((await batch()).answered < rows / 3) await pass(0.05);
  await behave(chat.url, { down: true });
  const down = Date.now();
  while ((await batch()).state !== 'paused') await pass(0.02);
  const paused = Date.now();
  await pass(seconds - (paused - down) / 1_000);
  const whileDown = (await callsAt(chat.url)).filter(({ at }) => at > paused).length;
  await behave(chat.url, { down: false });
  const healed = Date.now();
  const ended = await client.whenEnded(id);
  const first = (await callsAt(chat.url)).find(
    ({ at, prompt }) => at > healed && prompt.startsWith('Say'),
  );
  return (
    `nobody answers for ${seconds} s: paused after ${((paused - down) / 1_000).toFixed(1)} s, calls while paused ${whileDown}, ` +
    `goes on ${(((first?.at ?? 0) - healed) / 1_000).toFixed(1)} s after the end; answered ${ended.answered} of ${rows}, failed ${ended.failed}`
  );
}

function pass(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

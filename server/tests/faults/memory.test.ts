import { afterAll, expect, it } from 'vitest';
import { signInDemo } from '../../harness/api-client.ts';
import {
  growthDuring,
  prepareData,
  startFakeChatProcess,
  startProduct,
  storePrompts,
} from '../../harness/processes.ts';

/** More than the export may take at once, and more than a process would have room for as text. */
const prompts = 150_000;
/** They follow the others in the export: a page of as many as of the others would have 20 MB. */
const longPrompts = 100;
/** 60 rows of 20,000 characters; a prompt that names the column 20,000 times would have 400 MB. */
const sheet = new Blob([`a\n${`${'x'.repeat(20_000)}\n`.repeat(60)}`]);
const bomb = '{{a}}'.repeat(20_000);

await using stack = new AsyncDisposableStack();
const chat = stack.use(await startFakeChatProcess());
const directory = await prepareData();
await storePrompts(directory, prompts, longPrompts);
const server = stack.use(await startProduct({ CHAT_BASE_URL: chat.url }, directory));
const open = stack.move();
afterAll(() => open.disposeAsync());
const client = await signInDemo(server.url);

/** The system tells the peak of a process on Linux only. */
const onLinux = it.skipIf(process.platform !== 'linux');

async function askEverything(file: string, questionWithVariable: string) {
  const ask = (query: object) =>
    client.call('askChatGpt', { questionWithVariable, query: { file, ...query } });
  await ask({ quote: true });
  await ask({ preview: 5 });
  return client.whenEnded(await client.start(file, questionWithVariable));
}

onLinux('prompts of 400 MB take at most 100 MB of memory, ten at once', async () => {
  const file = await client.upload(sheet);
  // This excludes what the first calls load and compile.
  await askEverything(file, 'Say {{a}}');
  const growth = await growthDuring(server, async () => {
    const ended = await Promise.all(Array.from({ length: 10 }, () => askEverything(file, bomb)));
    for (const batch of ended) expect(batch).toMatchObject({ answered: 0, failed: 60, charged: 0 });
  });
  expect(growth).toBeLessThanOrEqual(100);
});

onLinux('previews of rows of 200 kB take at most 150 MB of memory, four at once', async () => {
  const cell = 'x'.repeat(100_000);
  const file = await client.upload(new Blob([`a,b\n${`${cell},${cell}\n`.repeat(300)}`]));
  const preview = (row: number) =>
    client.call('askChatGpt', {
      questionWithVariable: 'Say {{a}} {{b}}',
      query: { file, preview: 1, rows: [row] },
    });
  const growth = await growthDuring(server, () => Promise.all([0, 100, 200, 299].map(preview)));
  expect(growth).toBeLessThanOrEqual(150);
});

onLinux('an export of 100 MB takes at most 50 MB of memory', async () => {
  const growths: number[] = [];
  // Garbage that is collected late raises some of them; large pages raise all.
  while (growths.length < 10 && !growths.some((growth) => growth <= 50)) {
    const growth = await growthDuring(server, async () => {
      expect(await client.exportedBytes()).toBeGreaterThan(100e6);
    });
    growths.push(growth);
  }
  expect(Math.min(...growths)).toBeLessThanOrEqual(50);
});

import OpenAI from 'openai';
import pLimit from 'p-limit';

/** What people write themselves: the official client with its own retries, and p-limit. Prints its speed as JSON. */
const [url = '', concurrency = '64', rows = '10000'] = process.argv.slice(2);
const client = new OpenAI({ baseURL: url, apiKey: 'none', logLevel: 'off' });
const limit = pLimit(Number(concurrency));
let lost = 0;

async function ask(row: number): Promise<void> {
  try {
    const content = `Say row ${row}`;
    await client.chat.completions.create({ model: 'fake', messages: [{ role: 'user', content }] });
  } catch {
    lost++;
  }
}

const started = performance.now();
await Promise.all(Array.from({ length: Number(rows) }, (_, row) => limit(() => ask(row))));
const seconds = (performance.now() - started) / 1_000;
process.stdout.write(
  `${JSON.stringify({ rowsPerSecond: (Number(rows) - lost) / seconds, lost })}\n`,
);

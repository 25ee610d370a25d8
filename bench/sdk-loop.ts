import OpenAI from 'openai';
import pLimit from 'p-limit';

/**
 * What people write themselves: the official client with its own retries, and p-limit. It is run
 * again for the rows that it lost, as people do, until it has all. Prints as JSON when it began and
 * ended, and how many rows the first run lost.
 */
const [url = '', concurrency = '64', rows = '10000'] = process.argv.slice(2);
const client = new OpenAI({ baseURL: url, apiKey: 'none', logLevel: 'off' });
const limit = pLimit(Number(concurrency));

async function isAnswered(row: number): Promise<boolean> {
  try {
    const content = `Say row ${row}`;
    await client.chat.completions.create({ model: 'fake', messages: [{ role: 'user', content }] });
    return true;
  } catch {
    return false;
  }
}

async function lostOf(wanted: readonly number[]): Promise<number[]> {
  const answered = await Promise.all(wanted.map((row) => limit(() => isAnswered(row))));
  return wanted.filter((_, index) => !answered[index]);
}

const startedAt = Date.now();
const first = await lostOf(Array.from({ length: Number(rows) }, (_, row) => row));
for (let lost = first; lost.length > 0; ) lost = await lostOf(lost);
process.stdout.write(
  `${JSON.stringify({ startedAt, endedAt: Date.now(), answered: Number(rows), lost: first.length })}\n`,
);

import { Pool } from 'undici';

/** The minimum: calls at a fixed concurrency, each answer dropped. Prints its speed as JSON. */
const [url = '', concurrency = '64', rows = '10000'] = process.argv.slice(2);
const base = new URL(url);
const pool = new Pool(base.origin, { connections: Number(concurrency) });
let next = 0;
const started = performance.now();

async function work(): Promise<void> {
  while (next < Number(rows)) {
    const content = `Say row ${next++}`;
    const { body } = await pool.request({
      method: 'POST',
      path: `${base.pathname}/chat/completions`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fake', messages: [{ role: 'user', content }] }),
    });
    JSON.parse(await body.text());
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, work));
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage();
process.stdout.write(
  `${JSON.stringify({ rowsPerSecond: Number(rows) / seconds, cpuPerRow: (user + system) / 1000 / Number(rows) })}\n`,
);
await pool.close();

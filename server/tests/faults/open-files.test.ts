import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { sheetOf, signInDemo } from '../../harness/api-client.ts';
import { prepareData, startProduct } from '../../harness/processes.ts';

const canLimit = spawnSync('/usr/bin/prlimit', ['--version']).status === 0;
const largeSheet = new Blob(['a,b\n', 'x,y\n'.repeat(300_000)]);
const assets = join(import.meta.dirname, '../../../web/dist/assets');

it.runIf(canLimit)(
  'answers 503 while the process may open no file, and serves again after',
  async () => {
    await using server = await startProduct(
      { CHAT_BASE_URL: 'demo', LOG_LEVEL: 'silent' },
      await prepareData(),
    );
    const pid = String(server.process.pid);
    const allow = (files: number) =>
      execFileSync('/usr/bin/prlimit', ['--pid', pid, `--nofile=${files}:20000`]);
    const client = await signInDemo(server.url);
    const file = await client.upload(sheetOf(10));
    const question = 'Say {{Row}}';
    const send = (path: string, body: object) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const ask = (query: object) =>
      send(endpoints.askChatGpt.path, {
        questionWithVariable: question,
        query: { file, ...query },
      });
    const asset = readdirSync(assets).find((name) => name.endsWith('.js'));
    const calls = {
      upload: () => client.send(sheetOf(10)),
      rows: () => send(endpoints.getFile.path, { id: file }),
      preview: () => ask({ preview: 1 }),
      page: () => fetch(server.url),
      asset: () => fetch(`${server.url}/assets/${asset}`),
    };
    /** The first call that reads the table of plans: the database opens its file. */
    const unread = async () => {
      const { status, headers } = await send(endpoints.getPlans.path, {});
      return [status, headers.has('retry-after')];
    };
    const statuses = async () => {
      const found: Record<string, unknown> = {};
      for (const [name, call] of Object.entries(calls)) {
        const { status, headers, body } = await call();
        const cached = /max-age/.test(headers.get('cache-control') ?? '');
        const { length } = await new Response(body).text();
        found[name] = [status, headers.has('retry-after'), cached, length > 0];
      }
      return found;
    };
    const served = await statuses();
    expect(served).toMatchObject({
      upload: [200, false, false, true],
      asset: [200, false, true, true],
    });
    // It ends its thread, so that the next one is just being started.
    expect((await client.send(largeSheet)).status).toBe(200);
    // All lower numbers are in use.
    allow(20);
    const refused = Object.keys(calls).map((name) => [name, [503, true, false, true]]);
    expect(await statuses()).toEqual(Object.fromEntries(refused));
    expect(await unread()).toEqual([503, true]);
    allow(20_000);
    expect(await unread()).toEqual([200, false]);
    expect(await statuses()).toEqual(served);
  },
);

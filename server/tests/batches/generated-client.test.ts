import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { endpoints } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { startChat } from '../support/chat.ts';
import { assertAnswerDescribed } from '../support/openapi.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser, password } from '../support/users.ts';

const { settings } = await startChat();
const server = await startTestServer(settings);

const folder = join(import.meta.dirname, '../generated-client');
const { resolve } = createRequire(import.meta.url);
const packageOf = (name: string) => dirname(resolve(`${name}/package.json`));
const execute = (...parts: string[]) =>
  promisify(execFile)(process.execPath, parts, { cwd: folder }).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`);
  });

it('type-checks a program against types generated from the served document', async () => {
  const generator = join(packageOf('openapi-typescript'), 'bin/cli.js');
  await execute(generator, `${server.app.url}/openapi.json`, '--output', 'openapi.d.ts');
  // The compiler of the project, because the generator brings an older one.
  const compiler = join(folder, '../../../node_modules/typescript/bin/tsc');
  await execute(compiler, '--project', '.');
});

/** The project's compiler cannot check the program, whose types are generated above. */
interface Program {
  followBatch(
    baseUrl: string,
    request: { email: string; password: string; csv: string; prompt: string },
  ): Promise<Record<'sheet' | 'quoted' | 'batch', object> & { events: object[]; file: string }>;
  askWithUnknownOption(
    baseUrl: string,
    person: { email: string; password: string },
  ): Promise<Record<string, string>>;
}
const program = (): Promise<Program> => import(join(folder, 'follow-batch.ts'));

it('uploads, quotes, starts, follows and downloads with the generated client', async () => {
  const { email } = await createUser(server, { submissions: 10 });
  const request = { email, password, csv: 'City\nDouglas\nGraz\n', prompt: 'Greet {{City}}' };
  const { followBatch } = await program();
  const { sheet, quoted, events, batch, file } = await followBatch(server.app.url, request);
  expect(sheet).toMatchObject({ name: 'cities.csv', columns: ['City'], rows: 2 });
  expect(quoted).toMatchObject({ needed: 2, available: 10 });
  for (const body of events)
    assertAnswerDescribed(endpoints.events, { status: 200, type: 'text/event-stream', body });
  expect(batch).toMatchObject({ state: 'completed', answered: 2, charged: 2 });
  expect(file.split(/\r?\n/).slice(0, 3)).toEqual([
    expect.stringContaining('City'),
    expect.stringContaining('Douglas'),
    expect.stringContaining('Graz'),
  ]);
});

it('refuses an option that the contract does not know, and names it', async () => {
  const { email } = await createUser(server);
  const { askWithUnknownOption } = await program();
  expect(await askWithUnknownOption(server.app.url, { email, password })).toEqual({
    'query.penalty': 'Unknown field. Check the spelling or remove it.',
  });
});

import { readdirSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { sweepOrphans } from '../../src/domains/files/orphans.ts';
import { day, hour } from '../../src/lib/clock.ts';
import { isPostgres } from '../support/databases.ts';
import { filesOfSheet, storedFiles } from '../support/stored-files.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser, signIn } from '../support/users.ts';

const server = await startTestServer();

async function storeFile(key: string): Promise<void> {
  const { files } = server.app.ctx;
  const path = files.temporaryPath();
  await writeFile(path, 'Orphan');
  await files.store(path, key);
}

it('removes files of interrupted imports after a day and keeps those of sheets', async () => {
  const person = await createUser(server);
  const { file } = (await server.upload('Prompt\none\n', person)).body;
  const own = filesOfSheet(server, file.id);
  await storeFile('killed-before-its-record/original');
  await storeFile('killed-before-its-record/rows-utf-8-44-header');
  await storeFile(`${file.id}/rows-of-an-undone-revision`);
  const kept = join(server.app.ctx.config.dataDirectory, 'files', 'kept');
  await mkdir(join(kept, 'killed-before-its-files'));

  await sweepOrphans(server.app.ctx);
  expect(storedFiles(server).toSorted()).toEqual(
    [file.id, 'killed-before-its-files', 'killed-before-its-record'].toSorted(),
  );
  expect(filesOfSheet(server, file.id)).toHaveLength(own.length + 1);

  server.clock.advance(day + hour);
  await sweepOrphans(server.app.ctx);
  expect(filesOfSheet(server, file.id)).toEqual(own);
  expect(readdirSync(kept).toSorted()).not.toContain('killed-before-its-files');
  const token = await signIn(server, person.email);
  const again = await server.call('getFile', { id: file.id }, { token });
  expect(again.body.rows).toEqual([['one']]);

  server.clock.advance(day);
  await sweepOrphans(server.app.ctx);
  expect(readdirSync(join(kept, file.id)).toSorted()).toEqual(own);
});

it('keeps all files when most belong to no sheet, as with another database', async () => {
  const { ctx } = server.app;
  server.clock.advance(2 * day);
  const kept = join(ctx.config.dataDirectory, 'files', 'kept');
  const all = () => readdirSync(kept, { recursive: true }).toSorted();
  const before = all();
  const asAnother = ctx.db.transaction().execute(async (db) => {
    await db.deleteFrom('sheets').execute();
    await sweepOrphans({ ...ctx, db });
    expect(all()).toEqual(before);
    throw new Error('undone');
  });
  await expect(asAnother).rejects.toThrow('undone');
  for (let orphan = 0; orphan <= 100; orphan++) await storeFile(`of-another-${orphan}/original`);
  const more = all();
  server.clock.advance(2 * day);
  await sweepOrphans(ctx);
  expect(all()).toEqual(more);
});

it('deletes temporary files of killed processes at the next start', async () => {
  const { files } = server.app.ctx;
  const [old, recent] = [files.temporaryPath(), files.temporaryPath()];
  for (const path of [old, recent]) await writeFile(path, 'half');
  const before = new Date(Date.now() - 3 * day);
  await utimes(old, before, before);
  // The clock of the server is ahead by now.
  const now = server.clock.now();
  await utimes(recent, now, now);
  await server.restart();
  // On PostgreSQL another process may still be writing it.
  expect(readdirSync(dirname(old))).toEqual(isPostgres ? [basename(recent)] : []);
});

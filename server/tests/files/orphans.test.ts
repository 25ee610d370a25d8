import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { sweepOrphans } from '../../src/domains/files/sweep-orphans.ts';
import { day, hour } from '../../src/lib/clock.ts';
import { filesOfSheet, keptFiles } from '../support/files-on-disk.ts';
import { signedIn, signIn } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});

async function keep(key: string): Promise<void> {
  const { files } = world.app.ctx;
  const path = files.temporaryPath();
  await writeFile(path, 'Left behind');
  await files.keep(path, key);
}

it('files that an import left behind go after a day, and those of a sheet stay', async () => {
  const person = await signedIn(world);
  const { file } = (await world.upload('Prompt\none\n', person)).body;
  const own = filesOfSheet(world, file.id);
  await keep('killed-before-its-record/original');
  await keep('killed-before-its-record/rows-utf-8-44-header');
  await keep(`${file.id}/rows-of-a-reading-that-was-undone`);
  const kept = join(world.app.ctx.config.dataDirectory, 'files', 'kept');
  await mkdir(join(kept, 'killed-before-its-files'));

  await sweepOrphans(world.app.ctx);
  expect(keptFiles(world).toSorted()).toEqual(
    [file.id, 'killed-before-its-files', 'killed-before-its-record'].toSorted(),
  );
  expect(filesOfSheet(world, file.id)).toHaveLength(own.length + 1);

  world.clock.advance(day + hour);
  await sweepOrphans(world.app.ctx);
  expect(filesOfSheet(world, file.id)).toEqual(own);
  expect(readdirSync(kept).toSorted()).not.toContain('killed-before-its-files');
  const token = await signIn(world, person.email);
  const again = await world.call('getFile', { id: file.id }, { token });
  expect(again.body.rows).toEqual([['one']]);

  world.clock.advance(day);
  await sweepOrphans(world.app.ctx);
  expect(readdirSync(join(kept, file.id)).toSorted()).toEqual(own);
});

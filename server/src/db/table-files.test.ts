import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { readTable } from './table-files.ts';
import type { Db } from './transaction.ts';

it('a file that cannot be read fails the restore of its table', async () => {
  const table = { schema: 'public', name: 'sheets', columns: [] };
  // The database is not asked.
  const reading = readTable({} as Db, table, tmpdir());
  await expect(reading).rejects.toMatchObject({ code: 'EISDIR' });
});

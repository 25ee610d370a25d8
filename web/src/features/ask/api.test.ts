import type { Sheet } from '@rowmill/contract';
import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../../../harness/memory-storage.ts';
import { sheetRowsQuery } from './api.ts';

beforeEach(resetStorage);

it('caches the rows of a sheet apart for each way to read its file', () => {
  const keyOf = (dialect: object) => sheetRowsQuery({ id: 's', dialect } as Sheet, 0).queryKey;
  expect(keyOf({ header: true })).toEqual(keyOf({ header: true }));
  expect(keyOf({ header: true })).not.toEqual(keyOf({ header: false }));
});

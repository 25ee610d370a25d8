import { expect } from 'vitest';
import type { App } from '../../src/app.ts';
import { findBrokenInvariants } from '../../src/db/invariants.ts';

export async function expectLedgerChecksToPass({ app }: { app: App }): Promise<void> {
  expect(await findBrokenInvariants(app.ctx.db)).toEqual([]);
}

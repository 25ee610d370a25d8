import type { DatabaseConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { findBrokenInvariants } from '../../src/db/invariants.ts';

export interface Totals {
  spent: number;
  /** Of all batches, in trillionths of the currency. */
  cost: number;
  /** Rows of batches without a result. */
  openRows: number;
  problems: string[];
  brokenInvariants: string[];
}

/** Sums up a database that no process is using. */
export async function readTotals(config: DatabaseConfig): Promise<Totals> {
  await using database = await openDatabase(config);
  const { db } = database;
  const accounts = await db.selectFrom('credit_accounts').select('spent').execute();
  const batches = await db
    .selectFrom('batches')
    .select(['rows', 'answered', 'failed', 'cost'])
    .execute();
  const failed = db.selectFrom('results').select('problem').where('state', '=', 'failed');
  const broken = await findBrokenInvariants(db);
  return {
    spent: accounts.reduce((sum, { spent }) => sum + spent, 0),
    cost: batches.reduce((sum, { cost }) => sum + Number(cost), 0),
    openRows: batches.reduce((sum, batch) => sum + batch.rows - batch.answered - batch.failed, 0),
    problems: (await failed.execute()).map(({ problem }) => problem ?? ''),
    brokenInvariants: broken.map(({ invariant }) => invariant),
  };
}

export function embedded(directory: string): DatabaseConfig {
  return { kind: 'embedded', directory };
}

export function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}

export function pass(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Those that the command line names by a part of their names; without parts all. */
export function chosen<T extends { name: string }>(
  all: readonly T[],
  parts: readonly string[],
): T[] {
  const names = [...new Set(all.map(({ name }) => name))];
  for (const part of parts)
    if (!names.some((name) => name.includes(part)))
      throw new Error(`There is no ${part}; there are ${names.join(', ')}.`);
  return all.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
}

import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { findBrokenInvariants } from '../../src/db/invariants.ts';

export interface Totals {
  spent: number;
  charged: number;
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
    .select(['rows', 'answered', 'failed', 'charged', 'cost'])
    .execute();
  const failed = db.selectFrom('results').select('problem').where('state', '=', 'failed');
  const broken = await findBrokenInvariants(db);
  return {
    spent: accounts.reduce((sum, { spent }) => sum + spent, 0),
    charged: batches.reduce((sum, { charged }) => sum + charged, 0),
    cost: batches.reduce((sum, { cost }) => sum + Number(cost), 0),
    openRows: batches.reduce((sum, batch) => sum + batch.rows - batch.answered - batch.failed, 0),
    problems: (await failed.execute()).map(({ problem }) => problem ?? ''),
    brokenInvariants: broken.map(({ invariant }) => invariant),
  };
}

/** What a check prints, and the promises that it found broken. */
export interface CheckResult {
  line: string;
  misses: string[];
}

export function broken(promises: Record<string, boolean>): string[] {
  return Object.keys(promises).filter((promise) => !promises[promise]);
}

interface Ending extends Pick<Totals, 'spent' | 'brokenInvariants'> {
  rows: number;
  answered: number;
  failed: number;
  charged: number;
  prompts: readonly string[];
}

/** What no fault breaks, for a batch whose rows have different prompts and cost one each. */
export function promisesOf(
  { rows, answered, failed, charged, spent, prompts, brokenInvariants }: Ending,
  { repeatedAtMost }: { repeatedAtMost: number },
): Record<string, boolean> {
  return {
    'every row is answered': answered === rows && failed === 0,
    'each row is charged once': charged === answered && spent === charged,
    [`at most ${repeatedAtMost} calls are repeated`]: repeatedIn(prompts) <= repeatedAtMost,
    'all ledger checks pass': brokenInvariants.length === 0,
  };
}

export function repeatedIn(prompts: readonly string[]): number {
  return prompts.length - new Set(prompts).size;
}

/** What takes longer never comes, also on a busy machine. */
const waitsAtMostMinutes = 15;

/** Fails when it never comes. Leaving the check then ends its processes. */
export async function inTime<T>(what: string, awaited: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const tooLate = wait(waitsAtMostMinutes * 60_000, null, timer).then(() => {
    throw new Error(`${what}: not within ${waitsAtMostMinutes} minutes`);
  });
  try {
    return await Promise.race([awaited, tooLate]);
  } finally {
    timer.abort();
  }
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

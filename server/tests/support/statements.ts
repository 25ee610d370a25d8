import { type KyselyPlugin, RawNode, sql } from 'kysely';
import type { Context } from '../../src/core/context.ts';
import { ServiceUnavailable } from '../../src/lib/unavailable.ts';
import { until } from './waiting.ts';

/** A context whose statements are counted. */
export function countStatements(ctx: Context): { counted: Context; statements: () => number } {
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { counted: { ...ctx, db: ctx.db.withPlugin(counter) }, statements: () => statements };
}

/** How PostgreSQL would run each statement of a context. They change nothing. */
export function explainStatements(ctx: Context): { explained: Context; plans: string[] } {
  const plans: string[] = [];
  const explainer: KyselyPlugin = {
    transformQuery: ({ node }) =>
      RawNode.create(['explain ', ''], [node]) as unknown as typeof node,
    transformResult: async ({ result }) => {
      plans.push(...result.rows.map((row) => String(row['QUERY PLAN'])));
      return { ...result, rows: [] };
    },
  };
  return { explained: { ...ctx, db: ctx.db.withPlugin(explainer) }, plans };
}

/** A context for which the database is too busy for one kind of statement on one table. */
export function busyFor(
  ctx: Context,
  kind: 'InsertQueryNode' | 'UpdateQueryNode',
  table: string,
): Context {
  const busy: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind === kind && JSON.stringify(node).includes(`"${table}"`))
        throw new ServiceUnavailable('No connection to the database was free in time.');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ...ctx, db: ctx.db.withPlugin(busy) };
}

/** Waits until a statement waits for a lock that another connection holds. */
export function whenBlocked({ db }: Context): Promise<void> {
  return until(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    );
    return rows.length > 0;
  });
}

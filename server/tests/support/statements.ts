import type { KyselyPlugin } from 'kysely';
import type { Context } from '../../src/core/context.ts';

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

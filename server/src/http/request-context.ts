import type { FastifyRequest } from 'fastify';
import type { Context } from '../core/context.ts';
import type { RequestWait } from '../db/connection-turns.ts';
import type { ScopedDb } from '../db/scope.ts';

interface Options {
  scope: 'anonymous' | 'system';
  wait: RequestWait | undefined;
}

/** The context of one request: its id, its log, and database handles that share its wait. */
export function contextOf(
  ctx: Context,
  request: FastifyRequest,
  { scope, wait }: Options,
): Context {
  const scopedDb: ScopedDb = (wanted) => ctx.scopedDb(wanted, wait);
  const log = request.log as Context['log'];
  const chat: Context['chat'] = {
    ...ctx.chat,
    ask: async (asked) => {
      const outcome = await ctx.chat.ask(asked);
      // Refusing the request now would lose an answer, or hide that it was charged.
      wait?.goFirst();
      return outcome;
    },
  };
  // An answer after a commit must not fail because others wait for the database too.
  const onCommit = () => wait?.goFirst();
  return { ...ctx, scopedDb, db: scopedDb(scope), requestId: request.id, log, chat, onCommit };
}

import { can } from '@rowmill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../core/context.ts';
import { refuse } from '../core/refusal.ts';
import type { OutboxEmail } from '../domains/notifications/port.ts';
import { outboxStyle, renderOutbox } from './outbox-page.ts';
import { findVisitor } from './session-gate.ts';

/**
 * The mails that wait while no mail server is configured. They open accounts, so outside the demo only the operator reads
 * them; to everybody else the page does not exist.
 */
export function addOutbox(
  app: FastifyInstance,
  ctx: Context,
  listMails: () => Promise<OutboxEmail[]>,
): void {
  app.get('/dev/mail', async (request, reply) => {
    await admitReader(ctx, request);
    const mails = await listMails();
    reply.header('cache-control', 'no-store');
    if (request.headers.accept?.includes('application/json')) return { status: true, mails };
    return reply.type('text/html; charset=utf-8').send(renderOutbox(mails));
  });
  app.get('/dev/mail.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(outboxStyle),
  );
}

async function admitReader(ctx: Context, request: FastifyRequest): Promise<void> {
  if (ctx.config.demo) return;
  const { actor } = await findVisitor(ctx, request);
  if (!actor || !can(actor.roleId, 'readOutbox')) refuse('not_found');
}

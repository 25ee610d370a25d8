import type { PaymentProvider } from '@rowmill/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { EventMessage } from '../domains/billing/port.ts';
import { refuse } from '../refusal.ts';

type Receive = (
  ctx: Context,
  provider: PaymentProvider,
  message: EventMessage,
) => Promise<'taken' | 'refused' | 'no_such_provider'>;

const addresses: Record<PaymentProvider, string> = {
  card: '/webhooks/stripe',
  wallet: '/webhooks/paypal',
};

/** Where providers report. The body stays as the bytes that came, for those are signed. */
export function addWebhooks(app: FastifyInstance, ctx: Context, receive: Receive): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    for (const [provider, address] of Object.entries(addresses) as [PaymentProvider, string][]) {
      scope.post(address, async (request, reply) => {
        const outcome = await receive(contextOf(ctx, request), provider, messageOf(request));
        if (outcome === 'no_such_provider') refuse('not_found');
        return reply
          .status(outcome === 'taken' ? 200 : 400)
          .send({ received: outcome === 'taken' });
      });
    }
  });
}

function messageOf({ body, headers }: FastifyRequest): EventMessage {
  return { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers };
}

function contextOf(ctx: Context, request: FastifyRequest): Context {
  return { ...ctx, requestId: request.id, log: request.log as Context['log'] };
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../core/context.ts';
import { RequestWait } from '../db/connection-turns.ts';
import type { EventMessage, PaymentProvider } from '../domains/billing/port.ts';
import { contextOf } from './request-context.ts';
import { limitNetworks, networkOf } from './session-gate.ts';

type Receive = (ctx: Context, provider: PaymentProvider, message: EventMessage) => Promise<boolean>;

/** One address per configured provider. The body stays raw: the signature covers its bytes. */
export function addWebhooks(app: FastifyInstance, ctx: Context, receive: Receive): void {
  app.register(async (scope) => {
    limitNetworks(scope);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    for (const provider of ctx.payments.values()) {
      scope.post(`/webhooks/${provider.name}`, async (request, reply) => {
        // Many events at once wait behind other calls, and a refused one is sent again.
        const wait = new RequestWait({ person: provider.name });
        const requestCtx = contextOf(ctx, request, { scope: 'system', wait });
        const received = await receive(requestCtx, provider, messageOf(request));
        return reply.status(received ? 200 : 400).send({ received });
      });
    }
  });
}

function messageOf({ body, headers, ip }: FastifyRequest): EventMessage {
  return { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers, network: networkOf(ip) };
}

import { paymentProviders } from '@rowmill/contract';
import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { fulfilOrder } from './fulfil-order.ts';
import { giveBack } from './give-back.ts';
import { processEvent } from './process-event.ts';
import { forgetEvents, reconcileOrders } from './reconcile-orders.ts';
import { sendBillingMail } from './send-billing-mail.ts';
import { tellRefusal } from './tell-refusal.ts';

export const billingJobs = {
  'billing.event': defineJob({
    payload: z.object({ provider: z.enum(paymentProviders), eventId: z.string() }),
    run: processEvent,
  }),
  'billing.fulfil': defineJob({
    payload: z.object({ orderId: z.string() }),
    run: async (ctx, { orderId }) => {
      await fulfilOrder(ctx, orderId);
    },
  }),
  'billing.reconcile': defineJob({
    payload: z.object({}),
    cron: '*/5 * * * *',
    run: (ctx) => reconcileOrders(ctx),
  }),
  'billing.forget': defineJob({
    payload: z.object({}),
    cron: '47 3 * * *',
    run: (ctx) => forgetEvents(ctx),
  }),
  'billing.mail': defineJob({
    payload: z.object({
      kind: z.enum(['receipt', 'refund']),
      orderId: z.string(),
      number: z.string(),
    }),
    run: sendBillingMail,
  }),
  'billing.giveback': defineJob({
    payload: z.object({ paymentId: z.string() }),
    run: (ctx, { paymentId }) => giveBack(ctx, paymentId),
  }),
  'billing.refused': defineJob({ payload: z.object({ orderId: z.string() }), run: tellRefusal }),
};

import * as z from 'zod/mini';
import { defineJob } from '../../jobs/define-job.ts';
import { sendInvoiceEmail, sendPaymentRejectedEmail } from './emails.ts';
import { fulfilOrder } from './payments/fulfil-order.ts';
import { deleteOldEvents, processEvent } from './payments/provider-events.ts';
import { reconcileOrders } from './payments/reconcile-orders.ts';
import { refundPayment } from './payments/refund-payment.ts';

export const billingJobs = {
  'billing.event': defineJob({
    payload: z.object({ provider: z.string(), eventId: z.string() }),
    run: processEvent,
  }),
  'billing.fulfil': defineJob({
    payload: z.object({ orderId: z.string() }),
    run: async (ctx, { orderId }) => {
      await fulfilOrder(ctx, orderId);
    },
  }),
  'billing.reconcile': defineJob({
    cron: '*/5 * * * *',
    run: (ctx) => reconcileOrders(ctx),
  }),
  'billing.forget': defineJob({
    cron: '47 3 * * *',
    run: (ctx) => deleteOldEvents(ctx),
  }),
  'billing.mail': defineJob({
    payload: z.object({
      kind: z.enum(['receipt', 'refund']),
      orderId: z.string(),
      number: z.string(),
    }),
    run: sendInvoiceEmail,
  }),
  'billing.giveback': defineJob({
    payload: z.object({ paymentId: z.string() }),
    run: (ctx, { paymentId }) => refundPayment(ctx, paymentId),
  }),
  'billing.refused': defineJob({
    payload: z.object({ orderId: z.string() }),
    run: sendPaymentRejectedEmail,
  }),
};

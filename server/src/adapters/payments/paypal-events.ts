import * as z from 'zod/mini';
import { type EventMessage, EventRefused, type ProviderEvent } from '../../domains/billing/port.ts';
import { parseJson } from '../../lib/json-values.ts';

const eventBody = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  event_type: z.string(),
  resource: z.object({
    id: z.optional(z.string()),
    custom_id: z.optional(z.string()),
    purchase_units: z.optional(z.array(z.object({ custom_id: z.optional(z.string()) }))),
    supplementary_data: z.optional(
      z.object({ related_ids: z.optional(z.object({ order_id: z.optional(z.string()) })) }),
    ),
    disputed_transactions: z.optional(z.array(z.object({ custom: z.optional(z.string()) }))),
  }),
});

/** Orders, captures, refunds and disputes each carry our order id in a different field. */
export function hintOf({ body }: EventMessage): ProviderEvent {
  const parsed = eventBody.safeParse(parseJson(body.toString()));
  if (!parsed.success) throw new EventRefused('not an event');
  const { id, event_type: kind, resource } = parsed.data;
  const orderId =
    resource.custom_id ??
    resource.purchase_units?.[0]?.custom_id ??
    resource.disputed_transactions?.[0]?.custom ??
    null;
  const paymentRef = kind.startsWith('CHECKOUT.ORDER.')
    ? resource.id
    : resource.supplementary_data?.related_ids?.order_id;
  return { id, kind, orderId, paymentRef: paymentRef ?? null };
}

import * as z from 'zod/mini';
import { call } from '../endpoint.ts';
import { count, debt, id } from '../fields.ts';
import { batch } from './batches.ts';

export const events = call({
  method: 'GET',
  path: '/api/emedia/events',
  summary:
    'Progress of the batches, the balance, news for the bell and the role of the caller as a stream of events. Each connection begins with balance and role and repeats nothing: ask `getBatch` after connecting.',
  accepts: 'nothing',
  sends: 'events',
  request: z.object({ switchedAs: z.optional(id) }),
  answer: z.unknown(),
});

/** The events of the progress stream, as JSON. */
export const progressEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('batch'), batch }),
  z.object({ kind: z.literal('credits'), user_id: id, creditsAvailable: count, debt }),
  z.object({ kind: z.literal('batch_deleted'), id }),
  // The bell has something new: getNotifications tells what.
  z.object({ kind: z.literal('news') }),
  // Of the signed-in person, who may act for a client.
  z.object({ kind: z.literal('role'), role_id: z.int() }),
]);
export type ProgressEvent = z.infer<typeof progressEvent>;

/** What the event is about. A later event about the same replaces it. */
export function subjectOfEvent(event: ProgressEvent): string {
  if (event.kind === 'batch') return `batch ${event.batch.id}`;
  if (event.kind === 'batch_deleted') return `batch ${event.id}`;
  return event.kind === 'credits' ? `credits ${event.user_id}` : event.kind;
}

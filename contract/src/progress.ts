import * as z from 'zod/mini';
import { batch } from './batches.ts';
import { count, id } from './fields.ts';

/** The events of the progress stream, as JSON. */
export const progressEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('batch'), batch }),
  z.object({ kind: z.literal('credits'), user_id: id, creditsAvailable: count }),
  z.object({ kind: z.literal('batch_deleted'), id }),
]);
export type ProgressEvent = z.infer<typeof progressEvent>;

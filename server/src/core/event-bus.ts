import type { BatchState } from '@rowmill/contract';
import * as z from 'zod/mini';

const workerUpdate = z.object({
  worker: z.string(),
  provider: z.string(),
  slices: z.nullable(z.number()),
  inFlight: z.number(),
  calls: z.array(z.tuple([z.number(), z.number()])),
});

/** Names the person whose data changed; listeners read the change from the database. */
const notice = z.object({
  user_id: z.string(),
  batch_id: z.optional(z.string()),
  /** The new state of the batch. */
  state: z.optional(z.custom<BatchState>((state) => typeof state === 'string')),
  is_deleted: z.optional(z.boolean()),
  /** The bell of this person has something new. */
  is_news: z.optional(z.boolean()),
  /** The new role of this person. */
  role_id: z.optional(z.number()),
  /** Without a user: providers or models were changed. */
  providers: z.optional(z.boolean()),
  /** Without a user: no process may call the provider before `until`, in epoch milliseconds. */
  cooldown: z.optional(z.object({ model: z.string(), until: z.number() })),
  /** Without a user: the provider key whose cooldowns an operator has ended. */
  cooldown_ended: z.optional(z.string()),
  /** Without a user: what a worker publishes to the others that call the same provider. */
  worker: z.optional(workerUpdate),
});
export type Notice = z.infer<typeof notice>;

type Listener = (notice: Notice) => void;

/** Delivers the notices of all processes to the listeners of this one. */
export class EventBus {
  readonly #listeners = new Set<Listener>();

  receive(payload: string): void {
    const parsed = notice.safeParse(JSON.parse(payload));
    if (!parsed.success) return;
    for (const listener of this.#listeners) listener(parsed.data);
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

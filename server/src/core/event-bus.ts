import type { BatchState } from '@rowmill/contract';
import * as z from 'zod/mini';

/** Says that something of a person's has changed; what, each listener reads for itself. */
const notice = z.object({
  user_id: z.string(),
  batch_id: z.optional(z.string()),
  state: z.optional(z.string()),
  is_deleted: z.optional(z.boolean()),
});
export interface Notice {
  user_id: string;
  batch_id?: string | undefined;
  /** The state that the batch has from now on. */
  state?: BatchState | undefined;
  is_deleted?: boolean | undefined;
}

type Listener = (notice: Notice) => void;

/** Where the notices of all processes arrive, and whoever is interested hears of them. */
export class EventBus {
  readonly #listeners = new Set<Listener>();

  receive(payload: string): void {
    const parsed = notice.safeParse(JSON.parse(payload));
    if (!parsed.success) return;
    for (const listener of this.#listeners) listener(parsed.data as Notice);
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

import { type ProgressEvent, subjectOfEvent } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Notice } from '../../../core/event-bus.ts';
import { getBalanceAndDebt } from '../../credits/ledger.ts';
import { findBatch } from '../store/batches.ts';
import { describeBatch } from '../views.ts';

/** Milliseconds between reads of a feed: short after a quiet time, then longer. */
const pauses = { first: 25, longest: 200 };

/** The open streams of a process, by actor and subject: the actor decides what may be read. */
export class ProgressFeeds {
  readonly #open = new Map<string, ProgressFeed>();

  /**
   * A subject's batches, balance and news and the actor's role whenever they change, until the
   * reader stops.
   */
  async read(ctx: Context, acting: ActingFor): Promise<ProgressReader> {
    const { actor, subjectId } = acting;
    const key = `${actor.id} ${subjectId}`;
    const feed = this.#open.get(key) ?? new ProgressFeed(ctx, acting, () => this.#open.delete(key));
    this.#open.set(key, feed);
    const reader = feed.addReader();
    try {
      reader.offer(await balanceOf(ctx, subjectId));
      reader.offer({ kind: 'role', role_id: actor.roleId });
      return reader;
    } catch (error) {
      reader.end();
      throw error;
    }
  }
}

/** Reads each change once, for all open streams of a person. */
class ProgressFeed {
  readonly #ctx: Context;
  readonly #acting: ActingFor;
  readonly #readers = new Set<ProgressReader>();
  readonly #changed = new Map<string, Notice>();
  readonly #close: () => void;
  #isReading = false;

  constructor(ctx: Context, acting: ActingFor, onClose: () => void) {
    this.#ctx = ctx;
    this.#acting = acting;
    const unsubscribe = ctx.notices.subscribe((notice) => this.#receive(notice));
    this.#close = () => {
      unsubscribe();
      onClose();
    };
  }

  addReader(): ProgressReader {
    const reader: ProgressReader = new ProgressReader(() => {
      if (this.#readers.delete(reader) && this.#readers.size === 0) this.#close();
    });
    this.#readers.add(reader);
    return reader;
  }

  #receive(notice: Notice): void {
    const { actor, subjectId } = this.#acting;
    const isRole = notice.role_id !== undefined;
    // The role and the bell are the actor's own. News of the subject tells of payments, too.
    const people = isRole ? [actor.id] : [subjectId, ...(notice.is_news ? [actor.id] : [])];
    if (!people.includes(notice.user_id)) return;
    const kind = isRole ? 'role' : notice.is_news ? 'news' : 'credits';
    this.#changed.set(notice.batch_id ?? kind, notice);
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      for (
        let pause = pauses.first;
        this.#changed.size > 0 && this.#readers.size > 0;
        pause = Math.min(2 * pause, pauses.longest)
      ) {
        const notices = [...this.#changed.values()];
        this.#changed.clear();
        for (const notice of notices) {
          const event = await eventFor(this.#ctx, this.#acting.subjectId, notice);
          if (event) for (const reader of this.#readers) reader.offer(event);
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    } catch (error) {
      for (const reader of this.#readers) reader.end(error);
    } finally {
      this.#isReading = false;
    }
  }
}

async function eventFor(
  ctx: Context,
  userId: string,
  notice: Notice,
): Promise<ProgressEvent | null> {
  if (notice.role_id !== undefined) return { kind: 'role', role_id: notice.role_id };
  if (notice.is_news) return { kind: 'news' };
  if (!notice.batch_id) return balanceOf(ctx, userId);
  if (notice.is_deleted) return { kind: 'batch_deleted', id: notice.batch_id };
  const batch = await findBatch(ctx.db, { id: notice.batch_id, userId });
  return batch ? { kind: 'batch', batch: await describeBatch(ctx, batch) } : null;
}

async function balanceOf(ctx: Context, userId: string): Promise<ProgressEvent> {
  return { kind: 'credits', user_id: userId, ...(await getBalanceAndDebt(ctx, userId)) };
}

/**
 * What a stream has not sent yet: the latest event of each batch and of the balance, so a slow
 * reader needs little memory. Unlike a generator it can end while it waits for an event.
 */
class ProgressReader implements AsyncIterableIterator<ProgressEvent> {
  readonly #pending = new Map<string, ProgressEvent>();
  readonly #onEnd: () => void;
  #wake = () => {};
  #failure: unknown;
  #hasEnded = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  offer(event: ProgressEvent): void {
    this.#pending.set(subjectOfEvent(event), event);
    this.#wake();
  }

  end(failure?: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#failure = failure;
    this.#onEnd();
    this.#wake();
  }

  async next(): Promise<IteratorResult<ProgressEvent>> {
    while (this.#pending.size === 0 && !this.#hasEnded)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#failure !== undefined) throw this.#failure;
    const [next] = this.#pending;
    if (this.#hasEnded || !next) return { done: true, value: undefined };
    const [key, event] = next;
    this.#pending.delete(key);
    return { done: false, value: event };
  }

  async return(): Promise<IteratorResult<ProgressEvent>> {
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

export interface ChatRequest {
  model: string;
  prompt: string;
  system: string | null;
  temperature: number | null;
  maxTokens: number | null;
  /** Wanted output columns; empty for plain text. */
  outputs: readonly string[];
  deadlineMilliseconds: number;
  signal: AbortSignal;
}

/** What came of one call. The world outside never throws at the engine. */
export type ChatOutcome =
  | { kind: 'answered'; text: string }
  /** 429, 503: costs no attempt. `retryAt` is the time in epoch milliseconds until which the key rests. */
  | { kind: 'try_later'; retryAt: number | null; reason: string }
  /** 5xx, a reset, a time-out: costs an attempt. `isLate`: it was the time-out. */
  | { kind: 'broken'; reason: string; isLate?: true }
  /** 400, 404, 413, 422, empty, filtered, cut off: this row fails, uncharged. */
  | { kind: 'row_refused'; reason: string }
  /** 401, 402, 403, no quota: the batch pauses. */
  | { kind: 'provider_refused'; reason: string }
  /** The signal. */
  | { kind: 'aborted' };

/** A job of the queue in somebody's hands. `retryCount` tells one time that it was given out from another. */
export interface Claim {
  id: string;
  retryCount: number;
}

/** Where slices come from. */
export interface SliceSource {
  take(
    name: string,
    wanted: { count: number; minPriority?: number },
  ): Promise<(Claim & { data: unknown })[]>;
  /** Says that the holder of these lives. Gives back the ids of those that are still his. */
  keepAlive(name: string, claims: Claim[]): Promise<string[]>;
  /** What is in somebody's hands. */
  listHeld(name: string): Promise<unknown[]>;
  clear(name: string): Promise<void>;
}

export interface ChatModel {
  /** `demo`, or the host of the base URL. */
  readonly name: string;
  listModels(): Promise<{ id: string }[]>;
  ask(request: ChatRequest): Promise<ChatOutcome>;
  close(): Promise<void>;
}

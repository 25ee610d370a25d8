import type { AnswerMark, FormatFinding, Output, ReasoningEffort, Tokens } from '@rowmill/contract';

/** A first answer that could not be used, and why. */
export interface Correction {
  answer: string;
  problem: string;
}

export interface ChatRequest {
  model: string;
  prompt: string;
  system: string | null;
  temperature: number | null;
  maxTokens: number | null;
  topP?: number;
  stop?: readonly string[];
  seed?: number;
  reasoningEffort?: ReasoningEffort;
  /** The answer columns; empty for plain text. */
  outputs: readonly Output[];
  /** Cheaper, when the provider has capacity. */
  serviceTier?: 'flex';
  /** How the model learns their form: by `response_format`, or in words after the prompt. */
  format?: 'schema' | 'words';
  /** Sends the answer back and asks once more. */
  correction?: Correction;
  /** Where the slice of the row begins in its batch; null for a single prompt or a preview. */
  position: number | null;
  /** Who asks for a single prompt or preview: these wait for their turn. A row has a place. */
  person?: string;
  /** Whose row it is. */
  owner?: string;
  /** Calls of this row that broke before; absent when it is not sent again. */
  attempts?: number;
  deadlineMilliseconds: number;
  signal: AbortSignal;
}

/** `cost`: in trillionths of the currency; null or absent when unknown. */
export type CallTokens = Tokens & { cost?: number | null };

/**
 * What the provider counted for a call, and what it still allows, if it says so. A call that broke
 * has the tokens of the answered call that it should have corrected.
 */
interface Counted {
  /** Null: answered, so it was paid, but not counted. Absent: not answered, which costs nothing. */
  tokens?: CallTokens | null;
  /** The service tier that answered, if the provider says so. */
  tier?: string;
  limits?: readonly StatedLimit[];
}

/** A limit of the key as an answer's headers state it. */
export interface StatedLimit {
  of: 'requests' | 'tokens' | 'input_tokens' | 'output_tokens';
  limit: number;
  remaining: number;
  /** Until all of it is there again. */
  resetMilliseconds: number;
}

/** How a call ended. `by`: the model and provider that answered. Adapters never throw. */
export type ChatOutcome = (
  | { kind: 'answered'; text: string; by?: string }
  /** 429 or 503; costs no attempt. `retryAt`: epoch milliseconds before which no call is wanted. */
  | { kind: 'try_later'; retryAt: number | null; reason: string }
  /** 429 of the flex tier, which has no capacity: a wait, and no sign of a limit. */
  | { kind: 'no_capacity'; reason: string }
  /**
   * 5xx, a failed connection (`isUnreachable`: none could be opened) or a timeout (`isLate`); costs
   * an attempt.
   */
  | { kind: 'broken'; reason: string; isLate?: true; isUnreachable?: true }
  /** A prompt that is too long or blocked: the row fails, uncharged. */
  | { kind: 'row_refused'; reason: string; answer?: string; mark?: AnswerMark }
  /** Does not fit its columns: asked once more; then the row fails uncharged and keeps it. */
  | { kind: 'unusable'; reason: string; answer: string }
  /** 400, 404, 422: the prompt, model or options. See request-refusals.ts. */
  | { kind: 'request_refused'; reason: string }
  /**
   * 401, 402, 403 or an exhausted quota: the batch pauses, until `retryAt` if that is known.
   * `mayBeRow`: filters in front of a provider send the same 403 for one prompt.
   */
  | { kind: 'provider_refused'; reason: string; retryAt?: number; mayBeRow?: true }
  /** Through the request's signal, or not sent because the prompt could not be read now. */
  | { kind: 'aborted' }
) &
  Counted;

/** A failure, or a "try later" without a time, which gateways of a broken provider say. */
export function isUnanswered(
  outcome: ChatOutcome,
): outcome is Extract<ChatOutcome, { kind: 'broken' | 'try_later' }> {
  return outcome.kind === 'broken' || (outcome.kind === 'try_later' && outcome.retryAt === null);
}

/** The tokens of two calls together. If one of them was not counted, their cost is unknown. */
export function addTokens(some: Counted['tokens'], more: Counted['tokens']): Counted['tokens'] {
  if (some === undefined) return more;
  if (more === undefined) return some;
  if (!some || !more) {
    const counted = some ?? more;
    return counted && { ...counted, cost: null };
  }
  return {
    input: some.input + more.input,
    cached: some.cached + more.cached,
    output: some.output + more.output,
    reasoning: some.reasoning + more.reasoning,
    cost: some.cost == null || more.cost == null ? null : some.cost + more.cost,
  };
}

export interface ChatModel {
  /** `demo`, or the host of the base URL. */
  readonly name: string;
  /** Empty when the provider has no list. Rejects with the reason why it could not be read. */
  listModels(): Promise<{ id: string }[]>;
  ask(request: ChatRequest): Promise<ChatOutcome>;
  close(): Promise<void>;
}

/** What is known of the models of one provider, shared by all processes and starts. */
export interface ModelFormats {
  find(model: string): Promise<FormatFinding | undefined>;
  save(model: string, finding: FormatFinding): Promise<void>;
}

/** The right to work on a job. `retryCount` tells it from an earlier lease of the same job. */
export interface Lease {
  id: string;
  retryCount: number;
}

export interface WantedSlices {
  count: number;
  minPriority?: number;
  maxPriority?: number;
  ignoreGroups?: readonly string[];
}

/** The queue that slices come from. */
export interface SliceSource {
  fetch(queue: string, wanted: WantedSlices): Promise<(Lease & { data: unknown })[]>;
  /** Renews leases and returns the ids of those that are still valid. */
  heartbeat(queue: string, leases: Lease[]): Promise<string[]>;
  /** Whether nothing leased or ended the job since this lease, even if its heartbeats stopped. */
  isLatestLease(queue: string, lease: Lease): Promise<boolean>;
  /** The payloads of all leased jobs, of any process. */
  listLeased(queue: string): Promise<unknown[]>;
  clear(queue: string): Promise<void>;
}

/** Begins the trace of a row with its first call; null for rows that are not chosen. */
export type TraceRow = (row: {
  batchId: string;
  row: number;
  model: string;
  leasedAt: number;
}) => RowTrace | null;

/** Times of a row: its wait, its calls, and until its result is stored. No texts. */
export interface RowTrace {
  call(ask: () => Promise<ChatOutcome>): Promise<ChatOutcome>;
  /** The row was stored or given up. */
  end(): void;
}

import type { infer as Infer, input as Input, ZodMiniType } from 'zod/mini';
import type { RefusalCode } from './errors.ts';
import type { Capability } from './permissions.ts';

export type Host = 'auth' | 'plan' | 'main';

/** Who may call: `anyone`; `session`, a signed-in person even with an unverified address; `verified`, the usual case. */
export type Caller = 'anyone' | 'session' | 'verified';

/**
 * For whom a call runs. `self`: always for the signed-in person. Otherwise the name of the request's field in which an
 * admin may ask to act for a client of his own; only its `user_id` (or the field itself, where it is an id) is read.
 */
export type ActAs = 'self' | 'switchedAs' | 'creditUser' | 'user_id';

export interface Endpoint {
  host: Host;
  method: 'POST' | 'GET';
  /** As the spec writes it, `{name}` for a path parameter. */
  path: string;
  summary: string;
  who: Caller;
  /** What the caller's role must be able to do; see permissions.ts. */
  requires?: Capability;
  actAs: ActAs;
  /**
   * Accepts an `Idempotency-Key` header: the same key and body give the first answer again. `true`: key, effect and answer
   * are one transaction. `outside`: the call waits for the world outside, so the key stands before and the answer after it.
   */
  idempotent?: true | 'outside';
  /** How the request travels; `json` unless stated. */
  accepts?: 'multipart' | 'nothing';
  /** How the answer travels; `json` unless stated. */
  sends?: 'file' | 'events';
  request: ZodMiniType;
  answer: ZodMiniType;
  refusals: readonly RefusalCode[];
}

export type RequestOf<E extends Endpoint> = Input<E['request']>;
export type ParsedRequestOf<E extends Endpoint> = Infer<E['request']>;
/** What the caller receives: the envelope of every success, and the fields of this call. */
export type AnswerOf<E extends Endpoint> = { status: boolean; message?: string } & Infer<
  E['answer']
>;

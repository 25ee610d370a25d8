import type { infer as Infer, input as Input, ZodMiniType } from 'zod/mini';
import { commonRefusals, type RefusalCode } from './errors.ts';
import { nothing } from './fields.ts';
import type { Capability } from './permissions.ts';

export type Host = 'auth' | 'plan' | 'main';

/** Who may call. `session`: a signed-in person even with an unverified address. */
export type Caller = 'anyone' | 'session' | 'verified';

/**
 * The subject of a call. `self`: the actor. Otherwise the request field in which an admin may name
 * a client to act for; only its `user_id` or `id` is read, or the field itself if it is an id.
 */
export type ActAs = 'self' | 'switchedAs' | 'creditUser' | 'user_id';

export interface Endpoint {
  host: Host;
  method: 'POST' | 'GET';
  /** As in the specification, with `{name}` for a path parameter. */
  path: string;
  summary: string;
  who: Caller;
  /** What the caller's role must be able to do; see permissions.ts. */
  requires?: Capability;
  /** By default `switchedAs` if the request has that field, else `self`. */
  actAs: ActAs;
  /**
   * Accepts an `Idempotency-Key` header: the same key and body return the first answer. `true`:
   * key, effect and answer are one transaction. `outside`: the call waits for an external service;
   * the key is stored before and the answer after it.
   */
  idempotent?: true | 'outside';
  /** The form of the request, `json` by default. */
  accepts?: 'multipart' | 'nothing';
  /** The form of the answer, `json` by default. */
  sends?: 'file' | 'events';
  /**
   * The fields that the specification names for the body. The browser sends any other field in the
   * query string, and all fields in the body without this list. The server takes either.
   */
  body?: readonly string[];
  /** What an id in the request names. Its owner is the subject when the caller names none. */
  names?: { field: string; a: 'batch' | 'sheet' | 'order' };
  /** The media types of a file answer. */
  fileTypes?: readonly string[];
  request: ZodMiniType;
  answer: ZodMiniType;
  /** What the use case itself refuses; `refusalsOf` adds the rest. */
  refusals: readonly RefusalCode[];
}

/** The default of a call: on the main host, for the strictest caller, without any field. */
const usual = {
  host: 'main',
  method: 'POST',
  who: 'verified',
  request: nothing,
  answer: nothing,
  refusals: [],
} as const;

type Usual = typeof usual;
type Given = Partial<Endpoint> & Omit<Endpoint, keyof Usual | 'actAs'>;

interface Default<E extends Given> extends Usual {
  actAs: E['request'] extends { shape: { switchedAs: unknown } } ? 'switchedAs' : 'self';
}

/** @__NO_SIDE_EFFECTS__ */
export function call<const E extends Given>(endpoint: E): Omit<Default<E>, keyof E> & E {
  const given = { ...usual, ...endpoint };
  const { shape = {} } = given.request as { shape?: object };
  const actAs = 'switchedAs' in shape ? 'switchedAs' : 'self';
  return { actAs, ...given } as Default<E> & E;
}

export type RequestOf<E extends Endpoint> = Input<E['request']>;
/** The header that names the client an admin acts for, in calls whose body has no field for it. */
export const actingForHeader = 'acting-for';

/** A successful answer: the common envelope with the fields of this call. */
export type AnswerOf<E extends Endpoint> = { status: boolean; message?: string } & Infer<
  E['answer']
>;

/**
 * What the query string of a POST may hold: fields that the specification does not list for the
 * body, as a password must not be in an address. The client acted for is in body or header.
 */
export function queryFieldsOf({ method, body, request }: Endpoint): Record<string, ZodMiniType> {
  if (method === 'GET' || !body) return {};
  const { shape = {} } = request as { shape?: Record<string, ZodMiniType> };
  return Object.fromEntries(
    Object.entries(shape).filter(([name]) => !body.includes(name) && name !== 'switchedAs'),
  );
}

/** Every refusal that a call may answer with. The journeys fail when one answers with another. */
export function refusalsOf(endpoint: Endpoint): Set<RefusalCode> {
  const { who, requires, actAs, idempotent, refusals } = endpoint;
  return new Set<RefusalCode>([
    ...commonRefusals,
    ...(who === 'anyone' ? [] : (['not_signed_in'] as const)),
    ...(who === 'verified' ? (['verify_email'] as const) : []),
    ...(requires ? (['not_allowed'] as const) : []),
    ...(actAs === 'self' ? [] : (['not_found', 'no_longer_yours', 'suspended'] as const)),
    ...(idempotent ? (['idempotency_mismatch'] as const) : []),
    ...refusals,
  ]);
}

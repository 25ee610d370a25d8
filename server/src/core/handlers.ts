import type { Readable } from 'node:stream';
import type { Endpoint, EndpointName, endpoints, ParsedRequestOf } from '@rowmill/contract';
import type { infer as Infer } from 'zod/mini';
import type { ActingFor, Actor, Visitor } from './authority.ts';
import type { Context } from './context.ts';

/** An answer that the browser saves instead of reading. */
export interface FileAnswer {
  name: string;
  type: string;
  content: string | Buffer | Readable;
}

/** A file that came with a request: its bytes wait at a temporary path, and its name is only text. */
export interface Upload {
  path: string;
  name: string;
  bytes: number;
  /** SHA-256 of its bytes. */
  digest: string;
  /** Whatever else came along, for the sheet's own record. */
  metadata: Record<string, unknown>;
  /** True when whoever sent it has gone, so that nobody would learn of the sheet. */
  isGivenUp(): boolean;
}

/** Who a use case is told of follows from what the contract says of the call. */
type By<E extends Endpoint> = E['who'] extends 'anyone'
  ? Visitor
  : E['actAs'] extends 'self'
    ? Actor
    : ActingFor;

type Fields<E extends Endpoint> =
  Infer<E['answer']> extends Record<string, never> ? object : Infer<E['answer']>;

type Result<E extends Endpoint> = E extends { sends: 'file' }
  ? FileAnswer
  : E extends { sends: 'events' }
    ? AsyncIterable<object>
    : Fields<E> & { message?: string };

type Asked<E extends Endpoint> = E extends { accepts: 'multipart' }
  ? ParsedRequestOf<E> & { upload: Upload }
  : ParsedRequestOf<E>;

export type Handler<E extends Endpoint> = (
  ctx: Context,
  by: By<E>,
  request: Asked<E>,
) => Promise<Result<E>>;

/** What a domain's routes.ts gives: some calls of the contract, each with the use case that answers it. */
export type Routes = { [K in EndpointName]: Handler<(typeof endpoints)[K]> };

import type { Readable } from 'node:stream';
import type { Endpoint, EndpointName, endpoints } from '@rowmill/contract';
import type { infer as Infer } from 'zod/mini';
import type { ActingFor, Actor, Visitor } from './authority.ts';
import type { Context } from './context.ts';

/** An answer that the browser saves as a file. */
export interface FileAnswer {
  name: string;
  type: string;
  content: string | Buffer | Readable;
}

/** A file of a request, at a temporary path. `name` is the client's and only text. */
export interface Upload {
  path: string;
  name: string;
  bytes: number;
  /** SHA-256. */
  digest: string;
  /** Further form fields, stored with the sheet. */
  metadata: Record<string, unknown>;
}

/** What a handler learns about the caller follows from the contract. */
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
  ? Infer<E['request']> & { upload: Upload }
  : Infer<E['request']>;

export type Handler<N extends EndpointName> = (
  ctx: Context,
  by: By<(typeof endpoints)[N]>,
  request: Asked<(typeof endpoints)[N]>,
) => Promise<Result<(typeof endpoints)[N]>>;

/** A handler for every call of the contract. */
export type Routes = { [N in EndpointName]: Handler<N> };

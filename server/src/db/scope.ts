import type { RequestWait } from './connection-turns.ts';
import type { Db } from './transaction.ts';

/**
 * Whose rows a database handle reaches where row-level security is on. A handle keeps the scope it was made for; stores
 * use the handle they are given. `anonymous` reaches no row that belongs to a person.
 */
export type Scope = 'anonymous' | 'system' | PersonScope;

export interface PersonScope {
  /** The person the call is about. */
  subjectId: string;
  /** The person who makes the call: the subject, or the subject's admin. */
  actorId: string;
  /** Also reaches the rows of the actor's own clients. */
  withClients: boolean;
}

/** The handles of one request are made with its `RequestWait`. */
export type ScopedDb = (scope: Scope, request?: RequestWait) => Db;

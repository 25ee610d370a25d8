import type { RequestWait } from './connection-turns.ts';
import type { Db } from './transaction.ts';

/**
 * The rows that a database handle reaches with row-level security. A handle keeps its scope, and
 * stores use the handle they are given. `anonymous` reaches no row of a person.
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

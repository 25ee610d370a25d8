import type { Db } from './transaction.ts';

/**
 * Whose rows a handle of the database reaches, where row security is on. A handle is made for one scope and keeps it; the
 * stores use what they are handed and know nothing of it. `nobody` reaches no row that belongs to a person.
 */
export type Scope = 'nobody' | 'system' | PersonScope;

export interface PersonScope {
  /** For whom the call runs. */
  subjectId: string;
  /** Who asks: the same, or his admin. */
  actorId: string;
  /** Also what belongs to the actor's own clients. */
  withClients: boolean;
}

export type ScopedDb = (scope: Scope) => Db;

import type { RoleId } from '@rowmill/contract';

/**
 * Who asks. Use cases take an Actor or an ActingFor, and only the session gate can make one (its type carries a mark that
 * nothing else sets), so a use case cannot be reached without the question having been answered.
 */
declare const vouched: unique symbol;

/** Whoever sends the request, signed in or not. */
export interface Visitor {
  ip: string;
  device: string;
  actor: Actor | null;
}

/** A signed-in person. */
export interface Actor {
  readonly [vouched]: true;
  id: string;
  sessionId: string;
  roleId: RoleId;
  isVerified: boolean;
  ip: string;
}

/** A signed-in person, and the one for whom the call runs: himself, or a client of his. */
export interface ActingFor {
  readonly [vouched]: true;
  actor: Actor;
  subjectId: string;
}

export function authenticateActor(person: Omit<Actor, typeof vouched>): Actor {
  return person as Actor;
}

export function authoriseActingFor(acting: Omit<ActingFor, typeof vouched>): ActingFor {
  return acting as ActingFor;
}

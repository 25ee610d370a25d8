import type { RoleId } from '@rowmill/contract';

/**
 * A brand that only the functions below set. Use cases take an Actor or an ActingFor, so none can
 * be called without the session gate.
 */
declare const proven: unique symbol;

/** The sender of a request, signed in or not. */
export interface Visitor {
  ip: string;
  device: string;
  actor: Actor | null;
}

/** A signed-in person. */
export interface Actor {
  readonly [proven]: true;
  id: string;
  sessionId: string;
  roleId: RoleId;
  isVerified: boolean;
  ip: string;
  /** The address of the site in their browser, or PUBLIC_URL. */
  siteUrl: string;
}

/** A signed-in person, and the subject of the call: the actor, or a client of theirs. */
export interface ActingFor {
  readonly [proven]: true;
  actor: Actor;
  subjectId: string;
}

export function authenticateActor(person: Omit<Actor, typeof proven>): Actor {
  return person as Actor;
}

export function authoriseActingFor(acting: Omit<ActingFor, typeof proven>): ActingFor {
  return acting as ActingFor;
}

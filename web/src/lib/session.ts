import { type AnswerOf, type Capability, can, type login, type User } from '@rowmill/contract';
import { forgetDraftsOfOthers } from './return-visit.ts';
import { type SwitchedAs, storage, useStored } from './storage.ts';

/** Named here, so that ending a session does not load the offline cache. */
export const offlineDatabase = 'offline-cache';

const cleanups = new Set<() => void>();

/** For modules that hold personal data outside the storage and may not be loaded yet. */
export function onSignOut(cleanup: () => void): void {
  cleanups.add(cleanup);
}

export type Session = Pick<AnswerOf<typeof login>, 'user' | 'app_token' | 'user_token'> & {
  status?: boolean;
};

export function signIn({ user, app_token, user_token }: Session): void {
  endSession({ keepsDrafts: true, keepsPlan: true });
  forgetDraftsOfOthers(user.id);
  storage.write('userToken', user_token);
  storage.write('appToken', app_token);
  storage.write('currentUser', user);
  if (userCan(user, 'manageClients')) storage.write('switchedAs', asAdmin(user));
}

type Person = Pick<User, 'id' | 'first_name' | 'last_name' | 'phone' | 'email'> &
  Partial<Pick<User, 'profile_photo'>>;

export function viewOf(role: SwitchedAs['role'], person: Person): SwitchedAs {
  const { id, first_name, last_name, phone, email, profile_photo = null } = person;
  return { role, user_id: id, first_name, last_name, phone, email, profile_photo };
}

export const asAdmin = (user: User) => viewOf('Admin', user);

/** An admin without a readable record is in Admin view, where the record is their own. */
export function restoreAdminView(): void {
  const { user, switchedAs } = readIdentity();
  if (!user || !userCan(user, 'manageClients')) return;
  if (switchedAs?.role === 'Client' || switchedAs?.user_id === user.id) return;
  storage.write('switchedAs', asAdmin(user));
}

/** This browser forgets everything about the person. */
export function endSession(options?: { keepsDrafts?: boolean; keepsPlan?: boolean }): void {
  storage.clear(options);
  forgetLoadedData();
}

/** Without the storage, which may be that of the next session. */
export function forgetLoadedData(): void {
  globalThis.indexedDB?.deleteDatabase(offlineDatabase);
  // Of version 0.1.0.
  globalThis.indexedDB?.deleteDatabase('kept-answers');
  for (const cleanup of cleanups) cleanup();
}

/** Whether the role of the person has this capability. Only for controls: the server decides. */
export function userCan(user: Pick<User, 'role_id'> | null, capability: Capability): boolean {
  return user !== null && can(user.role_id, capability);
}

/** Who is signed in, and for whom this tab acts. */
export interface Identity {
  user: User | null;
  switchedAs: SwitchedAs | null;
}

export function readIdentity(): Identity {
  return { user: storage.read('currentUser'), switchedAs: storage.read('switchedAs') };
}

export function useIdentity(): Identity {
  return { user: useStored('currentUser'), switchedAs: useStored('switchedAs') };
}

export function isAdminAsAdmin({ user, switchedAs }: Identity): boolean {
  return userCan(user, 'manageClients') && switchedAs?.role === 'Admin';
}

/** Only admins go without a plan, and only for themselves. */
export function needsNoPlan(identity: Identity): boolean {
  return isAdminAsAdmin(identity) && userCan(identity.user, 'useWithoutPlan');
}

/** A balance belongs to a client: the signed-in one, or the one an admin acts for. */
export function showsCredits({ user, switchedAs }: Identity): boolean {
  return user !== null && (userCan(user, 'useOwnCredits') || switchedAs?.role === 'Client');
}

export function isActingAsSelf({ user, switchedAs }: Identity): boolean {
  return user !== null && (switchedAs === null || switchedAs.user_id === user.id);
}

/** The client an admin acts for, or null. */
export function useActedClient(): SwitchedAs | null {
  const { user, switchedAs } = useIdentity();
  return switchedAs?.role === 'Client' && switchedAs.user_id !== user?.id ? switchedAs : null;
}

/** The person whose data this tab shows: the client an admin acts for, or the signed-in person. */
export function subjectId(): string | null {
  return subjectOf(readIdentity());
}

export function useSubjectId(): string | null {
  return subjectOf(useIdentity());
}

function subjectOf({ user, switchedAs }: Identity): string | null {
  return switchedAs?.user_id ?? user?.id ?? null;
}

import { type AnswerOf, type Capability, can, type login, type User } from '@rowmill/contract';
import { type SwitchedAs, storage } from './storage.ts';
import { forgetToasts } from './toasts.ts';

/** Named here, so that ending a session does not load the offline cache. */
export const offlineDatabase = 'offline-cache';

const forgetters = new Set<() => void>();

/** For whatever keeps something of the person besides the storage, and need not be loaded before there is one. */
export function whenForgetting(forget: () => void): void {
  forgetters.add(forget);
}

/** Rules of the spec about who is signed in and as whom he acts. */
export function signIn({ user, app_token, user_token }: AnswerOf<typeof login>): void {
  const selectedPlan = storage.read('selectedPlan');
  const navigateToBilling = storage.read('navigateToBilling');
  endSession();
  if (selectedPlan) storage.write('selectedPlan', selectedPlan);
  if (navigateToBilling !== null) storage.write('navigateToBilling', navigateToBilling);
  storage.write('userToken', user_token);
  storage.write('appToken', app_token);
  storage.write('currentUser', user);
  if (userCan(user, 'manageClients')) storage.write('switchedAs', asAdmin(user));
}

export function asAdmin({
  id,
  first_name,
  last_name,
  phone,
  email,
  profile_photo,
}: User): SwitchedAs {
  return { role: 'Admin', user_id: id, first_name, last_name, phone, email, profile_photo };
}

/** This browser forgets everything that it knew of the person. */
export function endSession(): void {
  storage.clear();
  forgetToasts();
  globalThis.indexedDB?.deleteDatabase(offlineDatabase);
  for (const forget of forgetters) forget();
}

/** Whether the role of the signed-in person has this capability; the server decides, the page only shows or hides. */
export function userCan(user: Pick<User, 'role_id'> | null, capability: Capability): boolean {
  return user !== null && can(user.role_id, capability);
}

export interface Standing {
  user: User | null;
  switchedAs: SwitchedAs | null;
}

export function isAdminAsAdmin({ user, switchedAs }: Standing): boolean {
  return userCan(user, 'manageClients') && switchedAs?.role === 'Admin';
}

/** Credits are a client's matter: his own, or those of the client an admin acts as. */
export function showsCredits({ user, switchedAs }: Standing): boolean {
  return user !== null && (userCan(user, 'useOwnCredits') || switchedAs?.role === 'Client');
}

export function isActingAsSelf({ user, switchedAs }: Standing): boolean {
  return user !== null && (switchedAs === null || switchedAs.user_id === user.id);
}

/** The person whose data this tab shows: the client an admin acts for, or the signed-in person. */
export function subjectId(): string | null {
  return storage.read('switchedAs')?.user_id ?? storage.read('currentUser')?.id ?? null;
}

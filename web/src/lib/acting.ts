import { fetchUserDetail } from '@rowmill/contract';
import { call } from './api/api-client.ts';
import { errorMessage, refusalCode } from './api/refusal.ts';
import { asAdmin, readIdentity, restoreAdminView, userCan, viewOf } from './session.ts';
import { type SwitchedAs, storage } from './storage.ts';
import { showToast } from './toasts.ts';

/** Fires on the window when this tab begins to act for another person, after storing it. */
export const roleSwitchEvent = 'roleswitch';

/** Only a request: the server grants it to the person and to their admin. */
export function actAsClient(person: Parameters<typeof viewOf>[1]): void {
  switchTo(viewOf('Client', person));
}

export function actAsAdmin(): void {
  const user = storage.read('currentUser');
  if (user && userCan(user, 'manageClients')) switchTo(asAdmin(user));
}

function switchTo(next: SwitchedAs): void {
  const now = storage.read('switchedAs');
  const before = now?.user_id ?? storage.read('currentUser')?.id;
  storage.write('switchedAs', next);
  if (before !== next.user_id) dropChoicesOfOthers(next.user_id);
  if (now?.role !== next.role || now.user_id !== next.user_id)
    window.dispatchEvent(new Event(roleSwitchEvent));
}

/** What was chosen for one person must not be bought for another. */
function dropChoicesOfOthers(userId: string): void {
  if (storage.read('currentSale')?.customer?.user_id !== userId) storage.remove('currentSale');
  storage.remove('selectedPlan');
  storage.remove('navigateToBilling');
}

/** A refusal can mean a lost client or role: fetches the user and stops acting for the client. */
export function refreshRights(error: unknown): void {
  const code = refusalCode(error);
  const isActing = storage.read('switchedAs')?.role === 'Client';
  if (code !== 'not_allowed' && !(isActing && (code === 'no_longer_yours' || code === 'suspended')))
    return;
  if (isActing) showToast('error', errorMessage(error));
  void refreshUser().then(actAsAdmin, () => {});
}

/** Adopts the role that an operator gave. Another tab may have stored it, but not for this tab. */
export async function followRole(roleId: number): Promise<void> {
  const { user, switchedAs } = readIdentity();
  const hasView = switchedAs !== null;
  if (user?.role_id !== roleId || userCan(user, 'manageClients') !== hasView) await refreshUser();
}

/** Replaces the stored user by what the server knows. */
export async function refreshUser(): Promise<void> {
  const { user } = await call(fetchUserDetail, {});
  storage.write('currentUser', user);
  restoreAdminView();
  const view = storage.read('switchedAs');
  if (!view || userCan(user, 'manageClients')) return;
  storage.remove('switchedAs');
  if (view.user_id !== user.id) dropChoicesOfOthers(user.id);
  window.dispatchEvent(new Event(roleSwitchEvent));
}

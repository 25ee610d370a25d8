import { fetchUserDetail } from '@rowmill/contract';
import { call } from './api-client.ts';
import { leaveCartBehind } from './cart.ts';
import { codeOf, wordsFor } from './refusal.ts';
import { asAdmin, userCan } from './session.ts';
import { type SwitchedAs, storage } from './storage.ts';
import { showToast } from './toasts.ts';

/** Fires on the window when somebody acts as somebody else from now on; the choice is stored by then. */
export const roleSwitchEvent = 'roleswitch';

type Person = Pick<SwitchedAs, 'first_name' | 'last_name' | 'phone' | 'email'> & {
  id: string;
  profile_photo?: string | null;
};

/** Only a request: the server grants it to the person's admin, and to nobody else. */
export function actAsClient({
  id,
  first_name,
  last_name,
  phone,
  email,
  profile_photo = null,
}: Person): void {
  switchTo({ role: 'Client', user_id: id, first_name, last_name, phone, email, profile_photo });
}

export function actAsAdmin(): void {
  const user = storage.read('currentUser');
  if (user && userCan(user, 'manageClients')) switchTo(asAdmin(user));
}

function switchTo(next: SwitchedAs): void {
  const now = storage.read('switchedAs');
  const before = now?.user_id ?? storage.read('currentUser')?.id;
  storage.write('switchedAs', next);
  if (before !== next.user_id) leaveChoicesBehind(next.user_id);
  if (now?.role !== next.role || now.user_id !== next.user_id)
    window.dispatchEvent(new Event(roleSwitchEvent));
}

/** What was chosen for one person is not bought for another: neither the cart, nor the plan and the way to its payment. */
function leaveChoicesBehind(userId: string): void {
  leaveCartBehind(userId);
  storage.remove('selectedPlan');
  storage.remove('navigateToBilling');
}

/** A client may be taken away, or the role itself: what this browser believes of it is asked for again, and it acts as itself. */
export function looksAgain(error: unknown): void {
  const code = codeOf(error);
  const isActing = storage.read('switchedAs')?.role === 'Client';
  if (code !== 'not_allowed' && !(isActing && (code === 'no_longer_yours' || code === 'suspended')))
    return;
  if (isActing) showToast('error', wordsFor(error));
  void learnStanding().then(actAsAdmin, () => {});
}

async function learnStanding(): Promise<void> {
  const { user } = await call(fetchUserDetail, {});
  storage.write('currentUser', user);
  if (userCan(user, 'manageClients') || !storage.read('switchedAs')) return;
  const before = storage.read('switchedAs')?.user_id;
  storage.remove('switchedAs');
  if (before !== user.id) leaveChoicesBehind(user.id);
  window.dispatchEvent(new Event(roleSwitchEvent));
}

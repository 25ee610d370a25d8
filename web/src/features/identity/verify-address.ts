import { fetchUserDetail, verifyLink } from '@rowmill/contract';
import { call } from '../../lib/api/api-client.ts';
import { refusalCode } from '../../lib/api/refusal.ts';
import { storage } from '../../lib/storage.ts';
import { updateStoredUser } from './store-account.ts';

/**
 * Verifies the token of an email link and refreshes a stored user. The answer has a session unless
 * a person is signed in already.
 */
export async function verifyAddress(token: string) {
  const user = storage.read('currentUser');
  try {
    const sign_in = user === null || user.email_verified_at === null;
    const answer = await call(verifyLink, { token, sign_in });
    const isTheirs = user === null || user.email === answer.email;
    const session = isTheirs ? answer.session : null;
    if (!session) await refreshStoredUser(answer.email);
    return { ...answer, session };
  } catch (failure) {
    // Already opened, perhaps on another device: this browser may not know yet.
    if (refusalCode(failure) === 'already_verified') await refreshStoredUser(null);
    throw failure;
  }
}

/** The link may belong to another person than the one signed in, so ask the server. */
async function refreshStoredUser(verified: string | null): Promise<void> {
  const user = storage.read('currentUser');
  if (user === null) return;
  if (user.email === verified)
    return updateStoredUser({ ...user, email_verified_at: new Date().toISOString() });
  if (storage.read('userToken') === null) return;
  // Verification succeeded even if this fails; the profile refetches later.
  const account = await call(fetchUserDetail, {}).catch(() => null);
  if (account) updateStoredUser(account.user);
}

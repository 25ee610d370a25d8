import { fetchUserDetail, verifyLink } from '@rowmill/contract';
import { call } from '../../lib/api/api-client.ts';
import { refusalCode } from '../../lib/api/refusal.ts';
import { storage } from '../../lib/storage.ts';
import { keepStoredUser } from './keep-account.ts';

/** Takes the token of a mailed link, and brings up to date what this browser keeps of the person. */
export async function verifyAddress(token: string) {
  try {
    const answer = await call(verifyLink, { token });
    await refreshStoredUser(answer.email);
    return answer;
  } catch (failure) {
    // It was opened before, perhaps on another device: this browser may not know yet.
    if (refusalCode(failure) === 'already_verified') await refreshStoredUser(null);
    throw failure;
  }
}

/** The link may belong to somebody else than the person signed in here, so only the server says what became of the latter. */
async function refreshStoredUser(verified: string | null): Promise<void> {
  const user = storage.read('currentUser');
  if (user === null) return;
  if (user.email === verified)
    return keepStoredUser({ ...user, email_verified_at: new Date().toISOString() });
  if (storage.read('userToken') === null) return;
  // The address is verified whether or not this succeeds; the profile asks again when it is opened.
  const account = await call(fetchUserDetail, {}).catch(() => null);
  if (account) keepStoredUser(account.user);
}

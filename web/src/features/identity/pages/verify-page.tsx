import { fetchUserDetail, verifyLink } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { paths } from '../../../lib/paths.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { storage } from '../../../lib/storage.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Notice } from '../../../ui/notice.tsx';

/** Takes the token behind the # once; the query cache keeps a second rendering from taking it again. */
export function VerifyPage() {
  useTitle('Verify your address');
  const token = useLocation().hash.slice(1);
  const query = useQuery({
    queryKey: ['verify', token],
    queryFn: () => verify(token),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <div className="narrow stack-wide">
      <h1>Verify your address</h1>
      {query.isPending && <p role="status">One moment…</p>}
      {query.isSuccess && (
        <Notice tone="success">
          {query.data.message} <Link to={paths.root}>Go on</Link>
        </Notice>
      )}
      {query.isError && (
        <Notice tone="error">
          {wordsFor(query.error)} <Link to={paths.login}>Sign in</Link>
        </Notice>
      )}
    </div>
  );
}

async function verify(token: string) {
  const answer = await call(verifyLink, { token });
  await refreshStoredUser(answer.email);
  return answer;
}

/** The link may belong to somebody else than the person signed in here, so only the server says what became of the latter. */
async function refreshStoredUser(verified: string): Promise<void> {
  const user = storage.read('currentUser');
  if (user === null) return;
  if (user.email === verified) return storage.write('currentUser', { ...user, email_verified_at: new Date().toISOString() });
  if (storage.read('userToken') === null) return;
  // The address is verified whether or not this succeeds; the profile asks again when it is opened.
  const account = await call(fetchUserDetail, {}).catch(() => null);
  if (account) storage.write('currentUser', account.user);
}

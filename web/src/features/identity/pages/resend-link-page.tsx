import { fetchUserDetail, refusals } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { paths } from '../../../lib/paths.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { storage, useStored } from '../../../lib/storage.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Button } from '../../../ui/button.tsx';
import { ResendButton } from '../components/check-inbox.tsx';

const lookEveryMilliseconds = 5000;

/** Waits with the person, and moves on by itself once the address is verified, here or elsewhere. */
export function ResendLinkPage() {
  useTitle('Verify your address');
  const navigate = useNavigate();
  const user = useStored('currentUser');
  const { data } = useQuery({
    queryKey: ['verified'],
    queryFn: () => call(fetchUserDetail, {}),
    refetchInterval: lookEveryMilliseconds,
    staleTime: 0,
  });
  const isVerified = !!(data?.user.email_verified_at ?? user?.email_verified_at);
  useEffect(() => {
    if (!isVerified) return;
    if (data) storage.write('currentUser', data.user);
    void navigate(paths.root);
  }, [isVerified, data, navigate]);
  function startAnew() {
    storage.clear();
    queryClient.clear();
    void navigate(paths.register);
  }
  return (
    <div className="narrow stack">
      <h1>Verify your address</h1>
      <p>{refusals.verify_email.message}</p>
      {user && (
        <>
          <p>
            The link went to <strong>{user.email}</strong>.
          </p>
          <ResendButton email={user.email} />
        </>
      )}
      <Button variant="ghost" onClick={startAnew}>
        Use another address
      </Button>
    </div>
  );
}

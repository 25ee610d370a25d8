import { fetchUserDetail, verifyYourEmail } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { queryOf } from '../../lib/api/query.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { paths } from '../../lib/paths.ts';
import { endSession } from '../../lib/session.ts';
import { settings } from '../../lib/settings.ts';
import { storage, useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/identity.ts';
import { Button } from '../../ui/button.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { ResendButton } from './resend-button.tsx';
import { updateStoredUser } from './store-account.ts';

const lookEveryMilliseconds = 5000;

export function ResendLinkPage() {
  useTitle(texts.verifyAddress);
  const navigate = useNavigate();
  const user = useStored('currentUser');
  useVerification();
  function startOver() {
    endSession({ keepsPlan: true });
    void navigate(paths.register);
  }
  return (
    <div className="narrow stack">
      <h1>{texts.verifyAddress}</h1>
      <p>{verifyYourEmail}</p>
      {user && (
        <p>
          <RichText
            text={texts.linkWentTo}
            parts={{ email: <strong className="long">{user.email}</strong> }}
          />
        </p>
      )}
      <div className="row">
        {user && <ResendButton email={user.email} />}
        <Button variant="ghost" onClick={startOver}>
          {texts.useAnotherAddress}
        </Button>
      </div>
      {settings().demo && <a href="/dev/mail">{texts.emailsInOutbox}</a>}
    </div>
  );
}

/** Continues when the address is verified, in this browser or elsewhere. */
function useVerification(): void {
  const navigate = useNavigate();
  const user = useStored('currentUser');
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    // What is stored counts first, so the page is seen.
    const timer = setTimeout(setDue, lookEveryMilliseconds, storage.read('userToken') !== null);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    ...queryOf(fetchUserDetail, {}),
    enabled: isDue && user !== null && user.email_verified_at === null,
    refetchInterval: lookEveryMilliseconds,
    staleTime: 0,
  });
  const found = data?.user.email_verified_at ? data.user : null;
  const isVerified = found !== null || !!user?.email_verified_at;
  useEffect(() => {
    if (!isVerified) return;
    if (found) updateStoredUser(found);
    void navigate(paths.root);
  }, [isVerified, found, navigate]);
}

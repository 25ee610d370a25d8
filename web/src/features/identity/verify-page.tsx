import { fetchUserDetail, verifyLink } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { invalidate, queryWith } from '../../lib/api/query.ts';
import { errorMessage, refusalCode } from '../../lib/api/refusal.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { paths } from '../../lib/paths.ts';
import { type Session, signIn } from '../../lib/session.ts';
import { useStored } from '../../lib/storage.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/identity.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { SendNewLink } from './send-new-link.tsx';
import { verifyAddress } from './verify-address.ts';

/** Verifies the token after the #, for a new person or a new address. */
export function VerifyPage() {
  const { pathname, hash } = useLocation();
  const isMove = pathname.toLowerCase().startsWith(paths.changeEmail);
  const title = isMove ? texts.useNewAddress : texts.verifyAddress;
  useTitle(title);
  return (
    <div className="narrow stack-wide">
      <h1>{title}</h1>
      {hash.slice(1) === '' ? (
        <>
          <Notice tone="error">{texts.linkIncomplete}</Notice>
          <Remedy isMove={isMove} />
        </>
      ) : (
        <Verification token={hash.slice(1)} isMove={isMove} />
      )}
    </div>
  );
}

/** Ends the query before it signs in, which empties the cache: it would send its token again. */
function Verification({ token, isMove }: { token: string; isMove: boolean }) {
  const [arrival, setArrival] = useState<Arrival | null>(null);
  return arrival ? (
    <Enter {...arrival} />
  ) : (
    <Outcome token={token} isMove={isMove} onArrival={setArrival} />
  );
}

/** A token is sent once; only a press repeats it, not focus or reconnecting. */
function useVerification(token: string) {
  return useQuery({
    ...queryWith(verifyLink, { token }, async () => {
      const answer = await verifyAddress(token);
      await invalidate(fetchUserDetail);
      return answer;
    }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    retryOnMount: false,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

interface Arrival {
  session: Session;
  message?: string;
}

interface OutcomeProps {
  token: string;
  isMove: boolean;
  onArrival: (arrival: Arrival) => void;
}

function Outcome({ token, isMove, onArrival }: OutcomeProps) {
  const query = useVerification(token);
  const { session, message } = query.data ?? {};
  useEffect(() => {
    if (session) onArrival({ session, message });
  }, [session, message, onArrival]);
  const isSignedIn = useStored('currentUser') !== null;
  const onward = (
    <Link to={isSignedIn ? paths.root : paths.login}>
      {isSignedIn ? texts.continueLabel : texts.signIn}
    </Link>
  );
  if (query.isPending || session) return <p role="status">{texts.oneMoment}</p>;
  if (query.isSuccess) {
    return (
      <Notice tone="success">
        {query.data.message} {isMove && `${texts.nowSignInWith(query.data.email)} `}
        {onward}
      </Notice>
    );
  }
  const code = refusalCode(query.error);
  if (code === 'already_verified') {
    return (
      <Notice>
        {texts.alreadyVerified} {onward}
      </Notice>
    );
  }
  const isDead = code === 'link_invalid' || code === 'link_expired';
  return (
    <>
      <Notice tone="error">{errorMessage(query.error)}</Notice>
      {isDead ? (
        <Remedy isMove={isMove} />
      ) : (
        <div>
          <Button variant="secondary" busy={query.isFetching} onClick={() => void query.refetch()}>
            {texts.tryAgain}
          </Button>
        </div>
      )}
    </>
  );
}

function Enter({ session, message }: Arrival) {
  const navigate = useNavigate();
  useEffect(() => {
    signIn(session);
    showToast('success', message ?? texts.addressIsVerified);
    void navigate(paths.root, { replace: true });
  }, [session, message, navigate]);
  return <p role="status">{texts.oneMoment}</p>;
}

/** A change of address requests its next link in the profile, because that needs the password. */
function Remedy({ isMove }: { isMove: boolean }) {
  if (!isMove) return <SendNewLink />;
  return (
    <p>
      <RichText
        text={texts.currentAddressStays}
        parts={{ profile: <Link to={paths.profile}>{texts.yourProfile}</Link> }}
      />
    </p>
  );
}

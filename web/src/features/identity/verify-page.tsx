import { fetchUserDetail, verifyLink } from '@rowmill/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
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
  const query = useVerification(hash.slice(1));
  return (
    <div className="narrow stack-wide">
      <h1>{title}</h1>
      {hash.slice(1) === '' ? (
        <>
          <Notice tone="error">{texts.linkIncomplete}</Notice>
          <Remedy isMove={isMove} />
        </>
      ) : (
        <Outcome query={query} isMove={isMove} />
      )}
    </div>
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

type Verification = UseQueryResult<Awaited<ReturnType<typeof verifyAddress>>>;

function Outcome({ query, isMove }: { query: Verification; isMove: boolean }) {
  const isSignedIn = useStored('currentUser') !== null;
  const onward = (
    <Link to={isSignedIn ? paths.root : paths.login}>{isSignedIn ? texts.goOn : texts.signIn}</Link>
  );
  if (query.isPending) return <p role="status">{texts.oneMoment}</p>;
  if (query.data?.session) return <Enter {...query.data} session={query.data.session} />;
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
        {errorMessage(query.error)} {onward}
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

/** Signs a new person in. Not part of the query, because signing in empties the cache. */
function Enter({ session, message }: { session: Session; message?: string }) {
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
        text={texts.presentAddressStays}
        parts={{ profile: <Link to={paths.profile}>{texts.yourProfile}</Link> }}
      />
    </p>
  );
}

import { openMailedLink } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { queryOf } from '../../../lib/query.ts';
import { codeOf } from '../../../lib/refusal.ts';
import { useTitle } from '../../../lib/use-title.ts';
import * as texts from '../../../texts/identity.ts';
import { Filled } from '../../../ui/filled.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SetPasswordForm } from '../components/set-password-form.tsx';

export function InvitationPage() {
  useTitle(texts.invitation);
  const token = useLocation().hash.slice(1);
  const query = useQuery({
    ...queryOf(openMailedLink, { hash: token }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === '' || codeOf(query.error) === 'not_found') return <ExpiredInvitation />;
  return (
    <div className="narrow stack-wide">
      <h1>{texts.youAreInvited}</h1>
      <Loading query={query}>
        {({ data }) => (
          <>
            <p>
              <Filled
                text={texts.invitedBy}
                parts={{
                  firstName: String(data.first_name),
                  inviter: String(data.invited_by),
                  email: <strong className="long">{String(data.email)}</strong>,
                }}
              />
            </p>
            <SetPasswordForm remedy={texts.askForInvitation} />
          </>
        )}
      </Loading>
    </div>
  );
}

/** The server does not say which it is, so that nobody learns anything by trying links. */
function ExpiredInvitation() {
  return (
    <div className="narrow stack-wide">
      <h1>{texts.notValid}</h1>
      <Notice tone="warning">{texts.whyNotValid}</Notice>
      <p>
        <Link to={paths.root}>{texts.goToStart}</Link>
      </p>
    </div>
  );
}

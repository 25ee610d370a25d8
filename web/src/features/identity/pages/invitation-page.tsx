import { openMailedLink } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { paths } from '../../../lib/paths.ts';
import { codeOf } from '../../../lib/refusal.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SetPasswordForm } from '../components/set-password-form.tsx';

export function InvitationPage() {
  useTitle('Invitation');
  const token = useLocation().hash.slice(1);
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call(openMailedLink, { hash: token }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === '' || codeOf(query.error) === 'not_found') return <ExpiredInvitation />;
  return (
    <div className="narrow stack-wide">
      <h1>You are invited</h1>
      <Loading query={query}>
        {({ data }) => (
          <>
            <p>
              Hello {String(data.first_name)}, {String(data.invited_by)} has made an account for{' '}
              <strong className="long">{String(data.email)}</strong>. Choose a password to start.
            </p>
            <SetPasswordForm remedy="Please ask the person who invited you for a new invitation." />
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
      <h1>This invitation is no longer valid</h1>
      <Notice tone="warning">
        An invitation works once, for seven days. Please ask the person who invited you for a new one. If you have set a password
        already, you can sign in with it.
      </Notice>
      <p>
        <Link to={paths.root}>Go to the start</Link>
      </p>
    </div>
  );
}

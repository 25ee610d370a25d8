import { openMailedLink } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { Loading } from '../../../ui/loading.tsx';
import { SetPasswordForm } from '../components/set-password-form.tsx';

export function InvitationPage() {
  useTitle('Invitation');
  const token = useLocation().hash.slice(1);
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call(openMailedLink, { hash: token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="narrow stack-wide">
      <h1>You are invited</h1>
      <Loading query={query}>
        {({ data }) => (
          <>
            <p>
              Hello {String(data.first_name)}, {String(data.invited_by)} has made an account for {String(data.email)}. Choose a
              password to start.
            </p>
            <SetPasswordForm />
          </>
        )}
      </Loading>
    </div>
  );
}

import { openEmailLink } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { queryOf } from '../../lib/api/query.ts';
import { refusalCode } from '../../lib/api/refusal.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/identity.ts';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { SetPasswordForm } from './passwords/set-password-form.tsx';

export function InvitationPage() {
  useTitle(texts.invitation);
  const token = useLocation().hash.slice(1);
  const query = useQuery({
    ...queryOf(openEmailLink, { hash: token }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === '' || refusalCode(query.error) === 'not_found') return <ExpiredInvitation />;
  return (
    <div className="narrow stack-wide">
      <h1>{texts.youAreInvited}</h1>
      <Loading query={query}>
        {({ data }) => (
          <SetPasswordForm
            remedy={texts.askForInvitation}
            note={
              <RichText
                text={texts.invitedBy}
                parts={{
                  firstName: data.first_name,
                  inviter: data.invited_by,
                  email: <strong className="long">{data.email}</strong>,
                }}
              />
            }
          />
        )}
      </Loading>
    </div>
  );
}

/** The server gives no reason, so that trying links reveals nothing. */
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

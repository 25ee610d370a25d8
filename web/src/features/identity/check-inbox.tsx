import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { settings } from '../../lib/settings.ts';
import * as texts from '../../texts/identity.ts';
import { RichText } from '../../ui/rich-text.tsx';
import { ResendButton } from './resend-button.tsx';

/** After registering: where the link went and how to get another. */
export function CheckInbox({ email }: { email: string }) {
  return (
    <div className="narrow stack">
      <h1>{texts.checkInbox}</h1>
      <p>
        <RichText
          text={texts.linkSentTo}
          parts={{ email: <strong className="long">{email}</strong> }}
        />
      </p>
      <div className="row">
        <ResendButton email={email} />
      </div>
      <Link to={paths.login}>{texts.goToSignIn}</Link>
      {settings().demo && <a href="/dev/mail">{texts.emailsInOutbox}</a>}
    </div>
  );
}

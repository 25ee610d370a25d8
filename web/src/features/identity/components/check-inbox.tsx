import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { settings } from '../../../lib/settings.ts';
import { ResendButton } from './resend-button.tsx';

/** After registering: where the link went, and how to get another. */
export function CheckInbox({ email }: { email: string }) {
  return (
    <div className="narrow stack">
      <h1>Check your inbox</h1>
      <p>
        We have sent a link to <strong className="long">{email}</strong>. Open it to verify your address, then sign in.
      </p>
      <div className="row">
        <ResendButton email={email} />
      </div>
      <Link to={paths.login}>Go to sign in</Link>
      {settings().demo && <a href="/dev/mail">This is a demo: its mails are in the outbox</a>}
    </div>
  );
}

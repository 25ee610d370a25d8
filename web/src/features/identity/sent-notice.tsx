import { settings } from '../../lib/settings.ts';
import * as texts from '../../texts/identity.ts';
import { Notice } from '../../ui/notice.tsx';

/** After an email was sent: in the demo, emails stay in an outbox. */
export function SentNotice({ answer }: { answer: string }) {
  return (
    <Notice tone="success">
      {answer} {settings().demo && <a href="/dev/mail">{texts.openOutbox}</a>}
    </Notice>
  );
}

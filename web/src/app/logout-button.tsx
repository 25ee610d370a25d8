import { logout } from '@rowmill/contract';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { useNavigate } from 'react-router';
import { call } from '../lib/api/api-client.ts';
import { errorMessage } from '../lib/api/refusal.ts';
import { paths } from '../lib/paths.ts';
import { endSession } from '../lib/session.ts';
import { storage } from '../lib/storage.ts';
import { showToast } from '../lib/toasts.ts';
import { unsavedIsLost } from '../texts/logout.ts';
import * as texts from '../texts/shell.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

interface Props {
  /** Without the look of a button, for a menu. */
  isPlain?: boolean;
}

/**
 * Asks first. Then this browser forgets everything, even if the server refuses. An unverified
 * person has no session there.
 */
export function LogoutButton({ isPlain = false }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  async function leave() {
    setBusy(true);
    const user = storage.read('currentUser');
    if (user?.email_verified_at) await endAtServer();
    // A session that had ended before opens the sign-in page by itself.
    const isOnTheWay = user !== null && storage.isEmpty();
    endSession();
    setAsking(false);
    if (!isOnTheWay) await navigate(paths.auth);
  }
  return (
    <>
      <button
        type="button"
        className={isPlain ? undefined : buttonClass('ghost')}
        onClick={() => setAsking(true)}
      >
        <LogOut aria-hidden size={20} />
        {texts.logout}
      </button>
      {/* Outside of a menu, which closes when a dialog opens. */}
      {isAsking &&
        createPortal(
          <Dialog title={texts.logOut} onClose={() => setAsking(false)}>
            <p>{texts.sureToLogOut}</p>
            {holdsUnsaved() && <Notice tone="warning">{unsavedIsLost}</Notice>}
            <div className="row">
              <Button busy={busy} onClick={() => void leave()}>
                {texts.logOut}
              </Button>
              <Button variant="secondary" onClick={() => setAsking(false)}>
                {texts.cancel}
              </Button>
            </div>
          </Dialog>,
          document.body,
        )}
    </>
  );
}

/** What would make the browser ask before it closes the page. */
function holdsUnsaved(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

async function endAtServer(): Promise<void> {
  try {
    const { message } = await call(logout, {});
    showToast('success', message ?? texts.signedOut);
  } catch (error) {
    showToast('error', errorMessage(error));
  }
}

import { logout } from '@rowmill/contract';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../lib/api/api-client.ts';
import { errorMessage } from '../lib/api/refusal.ts';
import { paths } from '../lib/paths.ts';
import { endSession } from '../lib/session.ts';
import { storage } from '../lib/storage.ts';
import { showToast } from '../lib/toasts.ts';
import * as texts from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Asks first. A verified person's session is ended at the server; whatever it says, this browser forgets everything. */
export function LogoutButton({ className }: { className?: string }) {
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  async function leave() {
    setBusy(true);
    if (storage.read('currentUser')?.email_verified_at) await endAtServer();
    endSession();
    setAsking(false);
    await navigate(paths.auth);
  }
  return (
    <>
      <button type="button" className={className ?? 'button ghost'} onClick={() => setAsking(true)}>
        <LogOut aria-hidden size={20} />
        {texts.logout}
      </button>
      {isAsking && (
        <Dialog title={texts.logOut} onClose={() => setAsking(false)}>
          <p>{texts.sureToLogOut}</p>
          <div className="row">
            <Button busy={busy} onClick={() => void leave()}>
              {texts.logOut}
            </Button>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              {texts.cancel}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

async function endAtServer(): Promise<void> {
  try {
    const { message } = await call(logout, {});
    showToast('success', message ?? texts.signedOut);
  } catch (error) {
    showToast('error', errorMessage(error));
  }
}

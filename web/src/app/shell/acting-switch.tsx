import { useState } from 'react';
import { createPortal } from 'react-dom';
import { useNavigate } from 'react-router';
import { ClientChooser } from '../../features/clients/client-chooser.tsx';
import { actAsAdmin } from '../../lib/acting.ts';
import { paths } from '../../lib/paths.ts';
import { isAdminAsAdmin, useIdentity, userCan } from '../../lib/session.ts';
import * as texts from '../../texts/shell.ts';
import styles from './acting-switch.module.css';

/** Switches an admin between the admin view and the view of a client, who is chosen in a dialog. */
export function ActingSwitch({ isWide = false }: { isWide?: boolean }) {
  const identity = useIdentity();
  const { user } = identity;
  const [isChoosing, setChoosing] = useState(false);
  const leave = useLeaveForeignPage();
  if (!user || !userCan(user, 'manageClients')) return null;
  const isAdmin = isAdminAsAdmin(identity);
  function returnToAdmin() {
    if (isAdmin) return;
    actAsAdmin();
    leave();
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would show its legend twice
    <div
      className={isWide ? `${styles.switch} ${styles.wide}` : styles.switch}
      role="group"
      aria-label={texts.view}
    >
      <button type="button" aria-pressed={isAdmin} onClick={returnToAdmin}>
        {texts.admin}
      </button>
      <button
        type="button"
        aria-pressed={!isAdmin}
        aria-haspopup="dialog"
        onClick={() => setChoosing(true)}
      >
        {texts.client}
      </button>
      {/* Outside of the header, which hides the switch in a narrower window. */}
      {isChoosing &&
        createPortal(
          <ClientChooser user={user} onChosen={leave} onClose={() => setChoosing(false)} />,
          document.body,
        )}
    </div>
  );
}

/**
 * A batch belongs to one person, so after a switch its page gives way to the list of batches. The
 * list of clients gives way to the dashboard of the chosen one.
 */
function useLeaveForeignPage(): () => void {
  const navigate = useNavigate();
  return () => {
    if (location.pathname.startsWith(`${paths.history}/`)) void navigate(paths.history);
    if (location.pathname === paths.clients) void navigate(paths.dashboard);
  };
}

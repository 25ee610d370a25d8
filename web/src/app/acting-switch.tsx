import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ClientChooser } from '../features/clients/client-chooser.tsx';
import { actAsAdmin } from '../lib/acting.ts';
import { paths } from '../lib/paths.ts';
import { isAdminAsAdmin, userCan } from '../lib/session.ts';
import { useStored } from '../lib/storage.ts';
import * as texts from '../texts/app.ts';

/** Admin or Client view, for whoever may have both. As which client, is asked. */
export function ActingSwitch() {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  const [isChoosing, setChoosing] = useState(false);
  const leave = useLeaveForeignPage();
  if (!user || !userCan(user, 'manageClients')) return null;
  const isAdmin = isAdminAsAdmin({ user, switchedAs });
  function become() {
    if (isAdmin) return;
    actAsAdmin();
    leave();
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset of two buttons would need a legend that is said twice on the page
    <div className="client-switch" role="group" aria-label={texts.view}>
      <button type="button" aria-pressed={isAdmin} onClick={become}>
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
      {isChoosing && (
        <ClientChooser user={user} onChosen={leave} onClose={() => setChoosing(false)} />
      )}
    </div>
  );
}

/** The page of one batch belongs to one person: after a switch the list of the next one's is shown instead. */
export function useLeaveForeignPage(): () => void {
  const navigate = useNavigate();
  return () => {
    if (location.pathname.startsWith(`${paths.history}/`)) void navigate(paths.history);
  };
}

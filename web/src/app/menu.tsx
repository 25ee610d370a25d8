import { Settings } from 'lucide-react';
import { NavLink } from 'react-router';
import { paths } from '../lib/paths.ts';
import { isActingAsSelf, isAdminAsAdmin, userCan } from '../lib/session.ts';
import { useStored } from '../lib/storage.ts';
import * as texts from '../texts/app.ts';
import { ActingSwitch } from './acting-switch.tsx';
import { LogoutButton } from './logout-button.tsx';
import { iconOf } from './page-icons.ts';

/** The same entries for the side menu and the drawer. */
export function Menu() {
  const standing = { user: useStored('currentUser'), switchedAs: useStored('switchedAs') };
  return (
    <>
      <ActingSwitch />
      <ul className="menu">
        <Entry to={paths.dashboard} label={texts.dashboard} />
        <Entry to={paths.ask} label={texts.submitBatch} />
        <Entry to={paths.history} label={texts.processedBatches} />
        {isAdminAsAdmin(standing) && <Entry to={paths.clients} label={texts.clients} />}
        <Entry to={paths.orders} label={texts.invoices} />
        <li>
          <details open>
            <summary>
              <Settings aria-hidden size={20} />
              {texts.settings}
            </summary>
            <ul>
              <Entry to={paths.profile} label={texts.editProfile} />
              {isActingAsSelf(standing) && (
                <Entry to={paths.changePassword} label={texts.changePassword} />
              )}
              <li>
                <LogoutButton className="" />
              </li>
            </ul>
          </details>
        </li>
      </ul>
      <ul className="menu client-more">
        <Entry to={paths.activity} label={texts.activity} />
        {userCan(standing.user, 'viewInstallation') && (
          <Entry to={paths.operator} label={texts.operator} />
        )}
      </ul>
    </>
  );
}

function Entry({ to, label }: { to: string; label: string }) {
  const Icon = iconOf(to);
  return (
    <li>
      <NavLink to={to}>
        <Icon aria-hidden size={20} />
        {label}
      </NavLink>
    </li>
  );
}

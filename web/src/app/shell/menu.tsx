import { Settings } from 'lucide-react';
import { NavLink } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { isActingAsSelf, isAdminAsAdmin, useIdentity, userCan } from '../../lib/session.ts';
import * as texts from '../../texts/shell.ts';
import { LogoutButton } from '../logout-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ActingSwitch } from './acting-switch.tsx';
import styles from './menu.module.css';
import { iconOf } from './page-icons.ts';

/** The entries of the side menu and of the drawer, which also has those of a narrow header. */
export function Menu({ isDrawer = false }: { isDrawer?: boolean }) {
  const identity = useIdentity();
  return (
    <>
      {isDrawer && <ActingSwitch isWide />}
      <ul className={styles.menu}>
        <Entry to={paths.dashboard} label={texts.dashboard} />
        <Entry to={paths.ask} label={texts.submitBatch} />
        <Entry to={paths.history} label={texts.processedBatches} />
        {isAdminAsAdmin(identity) && <Entry to={paths.clients} label={texts.clients} />}
        <Entry to={paths.orders} label={texts.invoices} />
        <li>
          <details>
            <summary>
              <Settings aria-hidden size={20} />
              {texts.settings}
            </summary>
            <ul>
              <Entry to={paths.profile} label={texts.editProfile} />
              {isActingAsSelf(identity) && (
                <Entry to={paths.changePassword} label={texts.changePassword} />
              )}
              <li>
                <LogoutButton isPlain />
              </li>
            </ul>
          </details>
        </li>
      </ul>
      <ul className={`${styles.menu} ${styles.more}`}>
        {isDrawer && <Entry to={paths.credits} label={texts.buyCredits} />}
        <Entry to={paths.activity} label={texts.activity} />
        {userCan(identity.user, 'viewInstallation') && (
          <Entry to={paths.operator} label={texts.operator} />
        )}
        <Entry to={paths.help} label={texts.help} />
      </ul>
      <AccountMenu />
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

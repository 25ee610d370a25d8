import { nameOf } from '@rowmill/contract';
import { Ellipsis } from 'lucide-react';
import { ThemeChoice } from '../../features/identity/theme-choice.tsx';
import { paths } from '../../lib/paths.ts';
import { useIdentity } from '../../lib/session.ts';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/shell.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { LogoutButton } from '../logout-button.tsx';
import styles from './account-menu.module.css';

/** Who is signed in, at the foot of the menu. */
export function AccountMenu() {
  const { user } = useIdentity();
  const plan = useStored('userPlan');
  if (!user) return null;
  const name = nameOf(user) || user.email;
  const face = (
    <>
      <Avatar person={user} label={name} isSmall />
      <span className={styles.names}>
        <span className="cut">{name}</span>
        <span className={`cut ${styles.detail}`}>
          {plan?.name && plan.user_id === user.id ? texts.planOf(plan.name) : user.email}
        </span>
      </span>
      <Ellipsis aria-hidden size={18} />
    </>
  );
  return (
    <div className={styles.account}>
      <MenuButton label={texts.account} of={name} face={face}>
        <div className={styles.entries}>
          <ThemeChoice />
          <a href={paths.help}>{texts.help}</a>
          <LogoutButton />
        </div>
      </MenuButton>
    </div>
  );
}

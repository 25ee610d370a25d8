import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useCurrentInSight } from '../../../lib/hooks/use-current-in-sight.ts';
import { paths } from '../../../lib/paths.ts';
import { isActingAsSelf, useIdentity } from '../../../lib/session.ts';
import * as texts from '../../../texts/identity.ts';
import styles from './profile-frame.module.css';

export type ProfilePart = keyof typeof texts.profileParts;

const parts = Object.entries(texts.profileParts);

/** The pages about a person's own account, with a menu of their parts. */
export function ProfileFrame({ children }: { children: ReactNode }) {
  const menu = useCurrentInSight<HTMLElement>(useLocation().pathname);
  const isSelf = isActingAsSelf(useIdentity());
  return (
    <div className={styles.frame}>
      <nav ref={menu} className={`scrolls ${styles.menu}`} aria-label={texts.profileMenu}>
        {parts.map(([id, label]) => (
          <Link key={id} to={{ pathname: paths.profile, hash: id }}>
            {label}
          </Link>
        ))}
        {isSelf && <NavLink to={paths.changePassword}>{texts.changePassword}</NavLink>}
      </nav>
      <div className="stack-wide form-page">{children}</div>
    </div>
  );
}

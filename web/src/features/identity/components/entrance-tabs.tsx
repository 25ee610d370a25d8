import { NavLink, useLocation } from 'react-router';
import { paths } from '../../../lib/paths.ts';

export function EntranceTabs() {
  const isAtStart = useLocation().pathname === paths.auth;
  return (
    <nav className="tabs" aria-label="Sign in or register">
      <NavLink to={paths.login} aria-current={isAtStart ? 'page' : undefined}>
        Sign in
      </NavLink>
      <NavLink to={paths.register}>Register</NavLink>
    </nav>
  );
}

import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';

const tabs = { login: 'Sign in', register: 'Register' } as const;

/** The page says which tab it is, for the sign-in form has two addresses. */
export function EntranceTabs({ current }: { current: keyof typeof tabs }) {
  return (
    <nav className="tabs" aria-label="Sign in or register">
      {(['login', 'register'] as const).map((tab) => (
        <Link key={tab} to={paths[tab]} aria-current={tab === current ? 'page' : undefined}>
          {tabs[tab]}
        </Link>
      ))}
    </nav>
  );
}

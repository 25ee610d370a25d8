import { lazy, Suspense } from 'react';
import { Link, Outlet } from 'react-router';
import { paths } from '../lib/paths.ts';
import { settings } from '../lib/settings.ts';
import { useStored } from '../lib/storage.ts';
import { Logo } from '../ui/logo.tsx';

// Nobody is signed in on a first visit, so that it need not be fetched then.
const LogoutButton = lazy(async () => ({ default: (await import('./logout-button.tsx')).LogoutButton }));

export function PublicLayout() {
  const user = useStored('currentUser');
  return (
    <div className="public">
      <header className="spread">
        <Link to={paths.root} className="logo">
          <Logo />
        </Link>
        {user && (
          <Suspense>
            <LogoutButton />
          </Suspense>
        )}
      </header>
      <main>
        <Outlet />
      </main>
      <Footer />
    </div>
  );
}

function Footer() {
  const { operator } = settings();
  return (
    <footer>
      <div>
        <p className="soft">
          {operator.product} is a one-of-a-kind tool that simplifies bulk and batch processing of spreadsheet data for a chat AI.
        </p>
        <address>
          {operator.company}
          <br />
          {operator.address}
          <br />
          <a href={`mailto:${operator.email}`}>{operator.email}</a>
          <a href={`tel:${operator.phone.replace(/\s/g, '')}`}>Freephone {operator.phone}</a>
        </address>
        <nav aria-label="About this site">
          <Link to={paths.privacy}>Privacy</Link>
          <Link to={paths.terms}>Terms</Link>
          <Link to={paths.about}>About</Link>
          <Link to={paths.help}>Help</Link>
          <br />
          {operator.social.map(({ name, url }) => (
            <a key={name} href={url} rel="noreferrer">
              {name}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  );
}

import { lazy, Suspense, useEffect } from 'react';
import { Link, Outlet, useLocation, useNavigate } from 'react-router';
import { findRoute, paths } from '../lib/paths.ts';
import { settings } from '../lib/settings.ts';
import { storage, useStored } from '../lib/storage.ts';
import * as texts from '../texts/app.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { isEntrance } from './guard.ts';
import styles from './public-layout.module.css';
import { useArrival } from './use-arrival.ts';

// Not needed on a first visit, so it is not part of the entrance.
const LogoutButton = lazy(async () => ({
  default: (await import('./logout-button.tsx')).LogoutButton,
}));

export function PublicLayout() {
  const user = useStored('currentUser');
  useSignInElsewhere();
  return (
    <div className={styles.layout}>
      <header>
        <Link to={paths.root} className="logo">
          <Logo />
        </Link>
        <nav className={styles.links} aria-label={texts.siteMenu}>
          <Link to={paths.plans} className={user ? styles.wide : ''}>
            {texts.plans}
          </Link>
          <Link to={paths.help}>{texts.help}</Link>
          {user ? (
            <>
              <Link to={paths.root} className={styles.wide}>
                {texts.dashboard}
              </Link>
              <Suspense>
                <LogoutButton />
              </Suspense>
            </>
          ) : (
            <>
              <Link to={paths.login}>{texts.signIn}</Link>
              <span className={styles.wide}>
                <ButtonLink to={paths.register}>{texts.tryFree}</ButtonLink>
              </span>
            </>
          )}
        </nav>
      </header>
      <main tabIndex={-1} ref={useArrival()}>
        <Outlet />
      </main>
      <Footer />
    </div>
  );
}

/** A form for signing in is of no use once the person has signed in in another tab. */
function useSignInElsewhere(): void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const isForm = isEntrance(findRoute(pathname)?.path ?? null);
  useEffect(() => {
    if (!isForm) return undefined;
    const stop = storage.subscribeToOtherTabs(() => {
      if (!storage.read('currentUser') || !storage.read('userToken')) return;
      // Each stored value is a change, and a second visit would leave the page the guard chose.
      stop();
      void navigate(paths.root, { replace: true });
    });
    return stop;
  }, [isForm, navigate]);
}

function Footer() {
  const { operator, version } = settings();
  return (
    <footer>
      <div>
        <div className="muted">
          <p>{texts.productSummary(operator.product)}</p>
          <p>{texts.version(version)}</p>
        </div>
        <address>
          {operator.company}
          <br />
          {operator.address}
          <br />
          <a href={`mailto:${operator.email}`}>{operator.email}</a>
          {operator.phone && (
            <a href={`tel:${operator.phone.replace(/\s/g, '')}`}>
              {texts.freephone(operator.phone)}
            </a>
          )}
        </address>
        <nav aria-label={texts.aboutThisSite}>
          <Link to={paths.privacy}>{texts.privacy}</Link>
          <Link to={paths.terms}>{texts.terms}</Link>
          <Link to={paths.about}>{texts.about}</Link>
          <Link to={paths.help}>{texts.help}</Link>
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

import { ShoppingCart } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { BalanceDisplay } from '../entities/credits/balance-display.tsx';
import { useLiveProgress } from '../features/batches/live-progress.ts';
import { useTitle } from '../lib/hooks/use-title.ts';
import { paths } from '../lib/paths.ts';
import { showsCredits } from '../lib/session.ts';
import { settings } from '../lib/settings.ts';
import { useStored } from '../lib/storage.ts';
import * as texts from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Logo } from '../ui/logo.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { ActingBanner } from './acting-banner.tsx';
import { ActingSwitch } from './acting-switch.tsx';
import { CommandPalette } from './command-palette.tsx';
import { commandsFor } from './commands.ts';
import { Menu } from './menu.tsx';
import { NotificationList } from './notification-list.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { iconOf } from './page-icons.ts';
import { titleOf } from './pages.ts';

export function AuthorisedLayout() {
  const [isMenuOpen, setMenuOpen] = useState(false);
  useLiveProgress();
  const view = useStored('switchedAs');
  const user = useStored('currentUser');
  return (
    <div className="shell">
      <a href="#content" className="skip">
        {texts.skip}
      </a>
      <nav className="side" aria-label={texts.mainMenu}>
        <Home />
        <Menu />
      </nav>
      <div>
        {settings().demo && (
          <aside className="demo" aria-label={texts.demo}>
            <RichText
              text={texts.demoBanner}
              parts={{ where: <span className="long">{texts.demoWhere}</span> }}
            />
          </aside>
        )}
        <OfflineBar />
        <ActingBanner />
        <Header onOpenMenu={() => setMenuOpen(true)} />
        <main id="content" className="content" tabIndex={-1} ref={useFocusOnArrival()}>
          {/* What was typed or opened for one person is not carried over to the next. */}
          <Outlet key={`${view?.role} ${view?.user_id}`} />
        </main>
      </div>
      <nav className="bottom" aria-label={texts.quickMenu}>
        <QuickLink to={paths.dashboard} label={texts.quick.dashboard} />
        <QuickLink to={paths.ask} label={texts.quick.ask} />
        <QuickLink to={paths.history} label={texts.quick.batches} />
        <QuickLink to={paths.profile} label={texts.quick.profile} />
      </nav>
      <CommandPalette commands={commandsFor({ user, switchedAs: view })} />
      {isMenuOpen && (
        <Dialog title={texts.menu} className="drawer" onClose={() => setMenuOpen(false)}>
          <Menu />
          <Button variant="secondary" onClick={() => setMenuOpen(false)}>
            {texts.close}
          </Button>
        </Dialog>
      )}
    </div>
  );
}

/** A link that leads to another page may go with its page, and the focus with it: the next page then receives it. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current !== pathname && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true });
    before.current = pathname;
  }, [pathname]);
  return main;
}

function QuickLink({ to, label }: { to: string; label: string }) {
  const Icon = iconOf(to);
  return (
    <NavLink to={to}>
      <Icon aria-hidden size={20} />
      {label}
    </NavLink>
  );
}

function Home() {
  return (
    <Link to={paths.root} className="logo">
      <Logo />
    </Link>
  );
}

function Header({ onOpenMenu }: { onOpenMenu: () => void }) {
  const { pathname } = useLocation();
  const title = titleOf(pathname);
  const Icon = iconOf(pathname);
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  useTitle(title);
  return (
    <header className="top">
      <span className="opener">
        <Button variant="ghost" onClick={onOpenMenu}>
          {texts.menu}
        </Button>
      </span>
      <h1>
        <Icon aria-hidden size={22} />
        {title}
      </h1>
      <ActingSwitch />
      {user && showsCredits({ user, switchedAs }) && (
        <BalanceDisplay userId={switchedAs?.user_id ?? user.id} />
      )}
      <Link to={paths.credits} className="button secondary">
        {texts.buyCredits}
      </Link>
      <CartBadge />
      <NotificationList />
    </header>
  );
}

/** Leads to the checkout as soon as there is something to pay for. */
function CartBadge() {
  const items = useStored('currentSale')?.items.length ?? 0;
  const face = (
    <>
      <ShoppingCart aria-hidden size={20} />
      <span className="badge">{items}</span>
    </>
  );
  const words = texts.cart(items);
  if (items === 0) {
    return (
      <span className="cart" role="img" aria-label={words}>
        {face}
      </span>
    );
  }
  return (
    <Link to={paths.checkout} className="cart" aria-label={words}>
      {face}
    </Link>
  );
}

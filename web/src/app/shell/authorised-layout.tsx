import { QueryClientProvider } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import {
  Link,
  NavLink,
  Outlet,
  useLocation,
  useNavigate,
  useNavigation,
  useRevalidator,
} from 'react-router';
import { findOwnPlan, lacksPlan } from '../../entities/plan/find-own-plan.ts';
import { useLiveProgress } from '../../features/batches/live-progress.ts';
import { roleSwitchEvent } from '../../lib/acting.ts';
import { queryClient } from '../../lib/api/query.ts';
import { errorMessage, isStorageProblem } from '../../lib/api/refusal.ts';
import { arrivingWith } from '../../lib/hooks/use-arrival-message.ts';
import { useMediaQuery } from '../../lib/hooks/use-media-query.ts';
import { paths } from '../../lib/paths.ts';
import { forgetLoadedData, isActingAsSelf, readIdentity, useSubjectId } from '../../lib/session.ts';
import { settings } from '../../lib/settings.ts';
import { storage, useStored } from '../../lib/storage.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/shell.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Logo } from '../../ui/logo.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { useArrival } from '../use-arrival.ts';
import { ActingBanner } from './acting-banner.tsx';
import styles from './authorised-layout.module.css';
import bar from './bar.module.css';
import { CommandPalette } from './command-palette.tsx';
import { Header } from './header.tsx';
import { Menu } from './menu.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { iconOf } from './page-icons.ts';

/** With queries in the same file as the layout, which saves a request. */
export function AuthorisedArea() {
  return (
    <QueryClientProvider client={queryClient}>
      <AuthorisedLayout />
    </QueryClientProvider>
  );
}

function AuthorisedLayout() {
  useLiveProgress();
  usePlanAtArrival();
  useGuardAfterSwitch();
  useSignOutElsewhere();
  useSamePerson();
  useSameSessionAfterBack();
  useStorageProblems();
  // The same for a client who becomes an admin, who keeps what they are writing.
  const view = `${useStored('switchedAs')?.role === 'Client'} ${useSubjectId()}`;
  const [isMenuOpen, setMenuOpen] = useDrawer(view);
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {texts.skip}
      </a>
      <LoadingBar />
      <nav className={styles.side} aria-label={texts.mainMenu}>
        <Link to={paths.dashboard} className="logo">
          <Logo />
        </Link>
        <Menu />
      </nav>
      <div className={styles.area}>
        {settings().demo && (
          <aside className={bar.bar} aria-label={texts.demo}>
            <RichText
              text={texts.demoBanner}
              parts={{ where: <span className={bar.detail}>{texts.demoWhere}</span> }}
            />
          </aside>
        )}
        <OfflineBar />
        <ActingBanner />
        <Header onOpenMenu={() => setMenuOpen(true)} />
        <main id="content" className={styles.content} tabIndex={-1} ref={useArrival()}>
          {/* Nothing typed or opened for one person is carried over to the next. */}
          <Fragment key={view}>
            <Outlet />
          </Fragment>
        </main>
      </div>
      <nav className={styles.bottom} aria-label={texts.quickMenu}>
        <QuickLink to={paths.dashboard} label={texts.quick.dashboard} />
        <QuickLink to={paths.ask} label={texts.quick.ask} />
        <QuickLink to={paths.history} label={texts.quick.batches} />
        <QuickLink to={paths.profile} label={texts.quick.profile} />
      </nav>
      <CommandPalette />
      {isMenuOpen && (
        <Dialog
          title={texts.menu}
          className={styles.drawer}
          closesByPressOutside
          onClose={() => setMenuOpen(false)}
        >
          <Menu isDrawer />
          <Button variant="secondary" onClick={() => setMenuOpen(false)}>
            {texts.close}
          </Button>
        </Dialog>
      )}
    </div>
  );
}

/** Shows on a slow network that a press was noticed, while the next page loads. */
function LoadingBar() {
  return useNavigation().state === 'loading' && <div className={styles.loading} aria-hidden />;
}

/**
 * The drawer lies over the page, so it closes when a page or another view was chosen in it, and
 * when the window becomes wide enough for the menu.
 */
function useDrawer(view: string) {
  const isNarrow = useMediaQuery('(max-width: 53.75em)');
  const here = `${useLocation().key} ${view} ${isNarrow}`;
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  useEffect(() => setOpenedAt((at) => (at === here ? at : null)), [here]);
  return [openedAt === here, (open: boolean) => setOpenedAt(open ? here : null)] as const;
}

/** A new person who opens a page without the root has no plan yet, and so no submissions. */
function usePlanAtArrival(): void {
  useEffect(() => {
    const identity = readIdentity();
    const { user } = identity;
    if (!user || !isActingAsSelf(identity) || !lacksPlan(user)) return;
    const find = async () => {
      const { isStarted } = await findOwnPlan(user);
      if (isStarted) await queryClient.invalidateQueries();
    };
    // After a failure the root asks again.
    void find().catch(() => {});
  }, []);
}

/** A person who lost a role may have a page open that needs it. */
function useGuardAfterSwitch(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const ask = () => void revalidate();
    window.addEventListener(roleSwitchEvent, ask);
    return () => window.removeEventListener(roleSwitchEvent, ask);
  }, [revalidate]);
}

/** A new session in another tab clears the old one first, and its token comes a moment later. */
const signInMilliseconds = 300;

/** Nothing of a person stays in sight after they sign out in another tab. */
function useSignOutElsewhere(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const isSignedOut = () => storage.read('userToken') === null;
    const leave = () => {
      if (!isSignedOut()) return;
      forgetLoadedData();
      void navigate(paths.auth, arrivingWith(texts.signedOut));
    };
    const stop = storage.subscribeToOtherTabs(() => {
      clearTimeout(timer);
      if (isSignedOut()) timer = setTimeout(leave, signInMilliseconds);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [navigate]);
}

/** A tab that slept while the person changed in another one would show the former one's page. */
function useSamePerson(): void {
  const id = useStored('currentUser')?.id;
  const first = useRef(id);
  useEffect(() => {
    first.current ??= id;
    if (!id || id === first.current) return;
    forgetLoadedData();
    location.reload();
  }, [id]);
}

/** Back may show a page as it was left, though the person has signed out since. */
function useSameSessionAfterBack(): void {
  const token = useStored('userToken');
  useEffect(() => {
    const check = () => storage.read('userToken') === token || location.reload();
    window.addEventListener('pageshow', check);
    return () => window.removeEventListener('pageshow', check);
  }, [token]);
}

/** Where storage is full, a press that stores a choice would do nothing and not say so. */
function useStorageProblems(): void {
  useEffect(() => {
    const tell = (event: ErrorEvent | PromiseRejectionEvent) => {
      const error = 'error' in event ? event.error : event.reason;
      if (!(error instanceof Error && isStorageProblem(error))) return;
      event.preventDefault();
      showToast('error', errorMessage(error));
    };
    window.addEventListener('error', tell);
    window.addEventListener('unhandledrejection', tell);
    return () => {
      window.removeEventListener('error', tell);
      window.removeEventListener('unhandledrejection', tell);
    };
  }, []);
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

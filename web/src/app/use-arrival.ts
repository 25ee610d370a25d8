import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Shared by the layouts, because a page may follow one of another layout. */
let last: { pathname: string; page: string } | null = null;
/** How far each entry of the history was scrolled. */
const places = new Map<string, number>();

/**
 * A new page begins at its top. When a followed link disappears with its page, the new page also
 * receives the focus. Back and forward keep the place where the page was left: the browser restores
 * it before the page is there again, and a shorter page cannot scroll as far.
 */
export function useArrival() {
  const main = useRef<HTMLElement>(null);
  const { key, pathname, search, hash } = useLocation();
  // Pages of a list, which turns them itself, may have other heights.
  const page = `${pathname} ${new URLSearchParams(search).get('start')}`;
  const isReturn = useNavigationType() === 'POP';
  useEffect(() => {
    const from = last;
    last = { pathname, page };
    if (from === null || (isReturn ? from.page === page : from.pathname === pathname)) return;
    const place = isReturn ? places.get(key) : hash ? undefined : 0;
    if (place !== undefined) scrollTo(0, place);
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [key, pathname, page, hash, isReturn]);
  useEffect(() => {
    // The browser may be at another entry already, whose page is not there yet.
    const notePlace = () => {
      if ((history.state?.key ?? 'default') === key) places.set(key, scrollY);
    };
    notePlace();
    addEventListener('scroll', notePlace, { passive: true });
    return () => removeEventListener('scroll', notePlace);
  }, [key]);
  return main;
}

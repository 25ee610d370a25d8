import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Shared by the layouts, because a page may follow one of another layout. */
let lastPathname: string | null = null;

/**
 * A new page begins at its top. When a followed link disappears with its page, the new page also
 * receives the focus. Back and forward keep the place where the page was left.
 */
export function useArrival() {
  const main = useRef<HTMLElement>(null);
  const { pathname, hash } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  useEffect(() => {
    const isArrival = lastPathname !== null && lastPathname !== pathname;
    lastPathname = pathname;
    if (!isArrival) return;
    if (!isReturn && !hash) scrollTo(0, 0);
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [pathname, hash, isReturn]);
  return main;
}

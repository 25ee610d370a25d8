import { useEffect, useRef } from 'react';

/**
 * Tells whether the page of a component is still open when a call ends. The address changes first:
 * a page that was left stays until the next one can be shown.
 */
export function useIsOpen(): () => boolean {
  const address = useRef<string | null>(null);
  useEffect(() => {
    address.current = location.pathname;
    return () => {
      address.current = null;
    };
  }, []);
  return () => address.current === location.pathname;
}

import { useSyncExternalStore } from 'react';

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}

/** On a phone rows are cards, and a panel beside a grid covers the screen. */
export const useIsPhone = () => useMediaQuery('(max-width: 40em)');

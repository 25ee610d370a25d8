import { QueryCache, QueryClient } from '@tanstack/react-query';
import { looksAgain, roleSwitchEvent } from './acting.ts';
import { Refusal } from './refusal.ts';
import { whenForgetting } from './session.ts';

/** A refusal is an answer and is not asked for again; what did not arrive is, twice. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: looksAgain }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => !(error instanceof Refusal) && count < 2,
    },
  },
});

whenForgetting(() => queryClient.clear());

/** What one person was shown must not stand on the pages of the next: what is on the screen is asked for anew, the rest forgotten. */
if (typeof window !== 'undefined') {
  window.addEventListener(roleSwitchEvent, () => {
    queryClient.removeQueries({ type: 'inactive' });
    void queryClient.resetQueries();
  });
}

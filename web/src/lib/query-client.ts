import { QueryClient } from '@tanstack/react-query';
import { Refusal } from './refusal.ts';
import { whenForgetting } from './session.ts';

/** A refusal is an answer and is not asked for again; what did not arrive is, twice. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, retry: (count, error) => !(error instanceof Refusal) && count < 2 } },
});

whenForgetting(() => queryClient.clear());

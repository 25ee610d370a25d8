import { useLocation } from 'react-router';

/** Options of a navigation that brings the reason for it, which the page shows while open. */
export const arrivingWith = (message: string) => ({ state: { message } });

export function useArrivalMessage(): string | null {
  const state = useLocation().state as { message?: unknown } | null;
  return typeof state?.message === 'string' ? state.message : null;
}

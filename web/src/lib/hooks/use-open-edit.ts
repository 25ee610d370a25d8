import type { AnswerOf, Endpoint, RequestOf } from '@rowmill/contract';
import { useState } from 'react';
import { queryClient, queryOf } from '../api/query.ts';
import { errorMessage } from '../api/refusal.ts';
import { showToast } from '../toasts.ts';

/**
 * The edit that is open. It keeps what it was opened with, so that no answer that comes meanwhile
 * overwrites what is typed. `refill` finds the item in a fresh answer of the list, if still there.
 */
export function useOpenEdit<E extends Endpoint, Open>(
  list: E,
  refill: (fresh: AnswerOf<E>, open: Open) => Open | null,
) {
  const [open, setOpen] = useState<Open | null>(null);
  async function refillOpen(): Promise<void> {
    try {
      const query = queryOf(list, {} as RequestOf<E>);
      const fresh = await queryClient.fetchQuery({ ...query, staleTime: 0 });
      setOpen((opened) => opened && refill(fresh, opened));
    } catch (error) {
      showToast('error', errorMessage(error));
    }
  }
  return {
    open,
    setOpen,
    showCurrent: () => void refillOpen(),
    close: () => setOpen(null),
  };
}

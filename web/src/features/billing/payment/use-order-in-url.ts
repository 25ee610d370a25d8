import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { identifier } from '../../../lib/hooks/use-search-state.ts';

export type Arrival = 'returned' | 'cancelled' | null;

/**
 * The current order in the URL, so that it survives a reload. Provider-specific parameters are
 * removed and remembered.
 */
export function useOrderInUrl() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const returnedFor = params.get('order_id');
  const orderId = identifier(params.get('order')) ?? identifier(returnedFor);
  const arrival = returnedFor
    ? arrivalIn(params)
    : ((state as { arrival?: Arrival } | null)?.arrival ?? null);
  useEffect(() => {
    if (returnedFor && orderId)
      setParams({ order: orderId }, { replace: true, state: { arrival } });
  }, [returnedFor, orderId, arrival, setParams]);
  const show = (id: string | null) => setParams(id ? { order: id } : {}, { replace: true });
  return { orderId, arrival, show };
}

function arrivalIn(params: URLSearchParams): Arrival {
  return params.get('cancelled') === '1' ? 'cancelled' : 'returned';
}

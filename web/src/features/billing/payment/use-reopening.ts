import { confirmPayment } from '@rowmill/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { invalidate } from '../../../lib/api/query.ts';
import { cacheOpenPayment, openPaymentQuery, reopenPayment } from '../api.ts';
import { goToProvider } from './go-to-provider.ts';

export type Reopening = ReturnType<typeof useReopening>;

/**
 * The cached payment secret of an order, and how to get a new one. While the last attempt is
 * undecided, there is only waiting.
 */
export function useReopening(orderId: string, onUnderWay: () => void) {
  const known = useQuery({
    ...openPaymentQuery(orderId),
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const reopen = useMutation({
    mutationFn: () => reopenPayment(orderId),
    onSuccess: (payment) => {
      cacheOpenPayment(payment);
      if (payment.approve_url) goToProvider(payment.approve_url);
      else if (!payment.client_secret) onUnderWay();
    },
    // It may have been paid elsewhere.
    onError: () => void invalidate(confirmPayment, { order_id: orderId }),
  });
  return {
    payment: known.data ?? null,
    open: () => reopen.mutate(),
    isOpening: reopen.isPending,
    error: reopen.error,
  };
}

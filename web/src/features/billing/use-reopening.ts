import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type OpenPayment, reopenPayment } from './api.ts';
import { goToProvider } from './go-to-provider.ts';
import { openKey } from './use-open-payment.ts';

export type Reopening = ReturnType<typeof useReopening>;

/**
 * What opens the payment of an order, if this page has it already, and the way to get it anew. Where the provider is
 * still at the last try there is nothing to open, only to wait for.
 */
export function useReopening(orderId: string, onUnderWay: () => void) {
  const client = useQueryClient();
  const known = useQuery<OpenPayment | null>({
    queryKey: openKey(orderId),
    queryFn: () => null,
    enabled: false,
    initialData: null,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const reopen = useMutation({
    mutationFn: () => reopenPayment(orderId),
    onSuccess: (payment) => {
      client.setQueryData(openKey(orderId), payment);
      if (payment.approve_url) goToProvider(payment.approve_url);
      else if (!payment.client_secret) onUnderWay();
    },
  });
  return {
    payment: known.data,
    open: () => reopen.mutate(),
    isOpening: reopen.isPending,
    error: reopen.error,
  };
}

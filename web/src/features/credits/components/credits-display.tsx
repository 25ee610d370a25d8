import { getAvailableCredits } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';

/** What a person can use, with a way to ask again. A failure says so instead of showing an old number as true. */
export function CreditsDisplay({ userId }: { userId: string }) {
  const query = useQuery({
    queryKey: ['credits', userId],
    queryFn: async () => (await call(getAvailableCredits, { creditUser: { user_id: userId } })).creditsAvailable,
  });
  const amount = query.isError ? 'unknown' : query.isPending ? '…' : formatNumber(query.data);
  return (
    <span className="row">
      <span aria-live="polite">Available: {amount} submissions</span>
      <Button variant="ghost" aria-label="Refresh credits" busy={query.isFetching} onClick={() => query.refetch()}>
        ↻
      </Button>
    </span>
  );
}

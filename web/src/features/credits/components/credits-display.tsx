import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { balanceQuery } from '../../../lib/balance.ts';
import { formatNumber } from '../../../lib/format.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/credits.ts';
import { Button } from '../../../ui/button.tsx';

/** What a person can use, with a way to ask again. A failure says so instead of showing an old number as true. */
export function CreditsDisplay({ userId }: { userId: string }) {
  const query = useQuery(balanceQuery(userId));
  const amount = query.isError ? texts.unknown : query.isPending ? '…' : formatNumber(query.data);
  // The button stays enabled while it works, or it would lose the keyboard's focus; a second press only waits for the first.
  async function refresh() {
    const { error } = await query.refetch({ cancelRefetch: false });
    if (error) showToast('error', wordsFor(error));
  }
  return (
    <span className="credits">
      <span aria-live="polite">{texts.available(amount)}</span>
      <Button
        variant="ghost"
        aria-label={texts.refresh}
        aria-busy={query.isFetching}
        onClick={() => void refresh()}
      >
        <RefreshCw aria-hidden size={18} className={query.isFetching ? 'spinning' : ''} />
      </Button>
    </span>
  );
}

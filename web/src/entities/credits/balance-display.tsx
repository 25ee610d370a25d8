import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { errorMessage } from '../../lib/api/refusal.ts';
import { formatNumber } from '../../lib/format.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/entities.ts';
import { Button } from '../../ui/button.tsx';
import { balanceQuery } from './balance.ts';
import styles from './balance-display.module.css';

/** The submissions of a person, with a refresh button. After a failure it shows no old number. */
export function BalanceDisplay({ userId }: { userId: string }) {
  const query = useQuery(balanceQuery(userId));
  const amount = query.isError
    ? texts.unknown
    : query.isPending
      ? '…'
      : formatNumber(query.data.creditsAvailable);
  // Disabled, the button would lose the focus; a second press only waits for the first.
  async function refresh() {
    const { error } = await query.refetch({ cancelRefetch: false });
    if (error) showToast('error', errorMessage(error));
  }
  return (
    <span className={styles.balance}>
      <span aria-live="polite" className={styles.amount}>
        <span className={styles.word}>{texts.available} </span>
        <strong>{amount}</strong>
        <span className={styles.word}> {texts.unit}</span>
      </span>
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

import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/entities.ts';
import { Notice } from '../../ui/notice.tsx';
import { balanceQuery } from './balance.ts';

/** What a person owes before they buy. */
export function DebtNotice({ userId }: { userId: string }) {
  const { data } = useQuery(balanceQuery(userId));
  if (!data || data.debt === 0) return null;
  return <Notice tone="warning">{texts.inDebt(formatNumber(data.debt))}</Notice>;
}

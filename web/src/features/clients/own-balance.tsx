import { useQuery } from '@tanstack/react-query';
import { balanceQuery } from '../../entities/credits/balance.ts';
import { formatNumber } from '../../lib/format.ts';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/clients.ts';

/** The admin's own balance, which the header shows only in Client view. */
export function OwnBalance() {
  const user = useStored('currentUser');
  const query = useQuery(balanceQuery(user?.id ?? ''));
  if (query.data === undefined) return null;
  return <span className="muted">{texts.youCanGive(formatNumber(query.data))}</span>;
}

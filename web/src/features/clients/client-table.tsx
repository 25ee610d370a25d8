import { type ClientSummary, nameOf, type UserPlan } from '@rowmill/contract';
import type { ReactNode } from 'react';
import { hasLowBalance } from '../../entities/credits/balance.ts';
import { formatDay, formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/clients.ts';
import { owesSubmissions, planUntil } from '../../texts/entities.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, ShortTime } from '../../ui/data-table.tsx';

interface Props {
  clients: readonly ClientSummary[];
  /** Undefined while they are loading. */
  plans: readonly UserPlan[] | undefined;
  onActAs: (client: ClientSummary) => void;
  onManage: (client: ClientSummary) => void;
}

/** Table on wide screens, cards on narrow ones. */
export function ClientTable({ clients, plans, onActAs, onManage }: Props) {
  return (
    <DataTable
      label={texts.clients}
      columns={texts.clientColumns}
      amounts={['submissions', 'month', 'running']}
      rows={clients}
      keyOf={({ id }) => id}
      cells={(client) => ({
        name: (
          <>
            <strong>{nameOf(client)}</strong>{' '}
            {client.suspended_at && <span className="badge warning">{texts.suspended}</span>}
            <div className="muted">{client.email}</div>
          </>
        ),
        plan: client.plan && (
          <PlanOfClient
            name={client.plan}
            plan={plans?.find((plan) => plan.user_id === client.id)}
          />
        ),
        submissions: (
          <>
            {hasLowBalance(client) && <span className="badge warning">{texts.low}</span>}{' '}
            {formatNumber(client.creditsAvailable)}
            {client.debt > 0 && (
              <div className="muted">{owesSubmissions(formatNumber(client.debt))}</div>
            )}
          </>
        ),
        month: monthOf(client),
        running: client.batches_running === 0 ? null : formatNumber(client.batches_running),
        lastSeen: lastSeen(client),
      })}
      actions={(client) => (
        <span className="row">
          <Button
            variant="secondary"
            aria-label={texts.actAsClient(nameOf(client))}
            onClick={() => onActAs(client)}
          >
            {texts.actAs}
          </Button>
          <Button
            variant="ghost"
            aria-label={texts.manageClient(nameOf(client))}
            aria-haspopup="dialog"
            onClick={() => onManage(client)}
          >
            {texts.manage}
          </Button>
        </span>
      )}
    />
  );
}

function PlanOfClient({ name, plan }: { name: string; plan: UserPlan | undefined }) {
  return (
    <>
      {plan?.name ?? name}
      {plan?.ends_at && (
        <div className="muted">
          <time dateTime={plan.ends_at}>{planUntil(formatDay(plan.ends_at))}</time>
        </div>
      )}
    </>
  );
}

function monthOf({ spent_this_month, monthly_limit }: ClientSummary): string {
  const spent = formatNumber(spent_this_month);
  return monthly_limit === null
    ? spent
    : texts.spentOf({ spent, limit: formatNumber(monthly_limit) });
}

function lastSeen({ last_seen_at, accepted }: ClientSummary): ReactNode {
  if (last_seen_at) return <ShortTime instant={last_seen_at} />;
  return accepted ? texts.neverSeen : texts.invited;
}

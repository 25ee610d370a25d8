import { type AnswerOf, type ClientSummary, type getUsersPlan, nameOf } from '@rowmill/contract';
import type { ReactNode } from 'react';
import { hasLowBalance } from '../../entities/credits/balance.ts';
import { PlanDates } from '../../entities/plan/present-plan.tsx';
import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/clients.ts';
import { owesSubmissions } from '../../texts/entities.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, ShortTime } from '../../ui/data-table.tsx';

interface Props {
  clients: readonly ClientSummary[];
  /** Undefined while they are loading. */
  plans: AnswerOf<typeof getUsersPlan> | undefined;
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
        plan: client.plan && <PlanOfClient client={client} plans={plans} />,
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

function PlanOfClient({ client, plans }: { client: ClientSummary } & Pick<Props, 'plans'>) {
  const plan = plans?.plans.find(({ user_id }) => user_id === client.id);
  const next = plans?.next_plans.filter(({ user_id }) => user_id === client.id) ?? [];
  return (
    <>
      {plan?.name ?? client.plan}
      {plan && <PlanDates plan={plan} next={next} />}
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

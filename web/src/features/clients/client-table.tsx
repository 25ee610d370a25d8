import type { ClientSummary, UserPlan } from '@rowmill/contract';
import type { ReactNode } from 'react';
import { hasLowBalance } from '../../entities/credits/balance.ts';
import { formatDay, formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, ShortTime } from '../../ui/data-table.tsx';

const { submissions, month, running } = texts.clientColumns;
const amounts = [submissions, month, running];

interface Props {
  clients: readonly ClientSummary[];
  /** Undefined while they are loading. */
  plans: readonly UserPlan[] | undefined;
  onActAs: (client: ClientSummary) => void;
  onManage: (client: ClientSummary) => void;
}

/** Table on wide screens, cards on narrow ones. */
export function ClientTable({ clients, plans, ...acts }: Props) {
  return (
    <DataTable label={texts.clients} columns={Object.values(texts.clientColumns)} amounts={amounts}>
      {clients.map((client) => (
        <ClientRow
          key={client.id}
          client={client}
          plan={plans?.find(({ user_id }) => user_id === client.id)}
          {...acts}
        />
      ))}
    </DataTable>
  );
}

interface RowProps extends Omit<Props, 'clients' | 'plans'> {
  client: ClientSummary;
  plan: UserPlan | undefined;
}

function ClientRow({ client, plan, onActAs, onManage }: RowProps) {
  const name = `${client.first_name} ${client.last_name}`;
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <div className="muted">{client.email}</div>
      </td>
      <td data-label={texts.clientColumns.plan}>
        {plan?.name ?? client.plan ?? texts.noPlan}
        {plan?.ends_at && (
          <div className="muted">
            <time dateTime={plan.ends_at}>{texts.planUntil(formatDay(plan.ends_at))}</time>
          </div>
        )}
      </td>
      <td className="amount" data-label={submissions}>
        {hasLowBalance(client) && <span className="badge warning">{texts.low}</span>}{' '}
        {formatNumber(client.creditsAvailable)}
      </td>
      <td className="amount" data-label={month}>
        {monthOf(client)}
      </td>
      <td className="amount" data-label={running}>
        {client.batches_running === 0 ? texts.noneRunning : formatNumber(client.batches_running)}
      </td>
      <td data-label={texts.clientColumns.lastSeen}>{lastSeen(client)}</td>
      <td>
        <span className="row">
          <Button
            variant="secondary"
            aria-label={texts.actAsClient(name)}
            onClick={() => onActAs(client)}
          >
            {texts.actAs}
          </Button>
          <Button
            variant="ghost"
            aria-label={texts.manageClient(name)}
            aria-haspopup="dialog"
            onClick={() => onManage(client)}
          >
            {texts.manage}
          </Button>
        </span>
      </td>
    </tr>
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

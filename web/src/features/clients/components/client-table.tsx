import type { ClientSummary } from '@rowmill/contract';
import { formatNumber, formatTime } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { TableHead } from '../../../ui/table-head.tsx';

interface Props {
  clients: readonly ClientSummary[];
  onActAs: (client: ClientSummary) => void;
  onManage: (client: ClientSummary) => void;
}

const titles = ['Name', 'Plan', 'Submissions', 'This month', 'Running', 'Last seen', 'Actions'] as const;

/** A table where there is room for one, and a card for each client where there is not. */
export function ClientTable({ clients, ...acts }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table" tabIndex={0} aria-label="Clients">
      <table className="client-table">
        <TableHead columns={titles} />
        <tbody>
          {clients.map((client) => (
            <ClientRow key={client.id} client={client} {...acts} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ClientRow({ client, onActAs, onManage }: { client: ClientSummary } & Omit<Props, 'clients'>) {
  const name = `${client.first_name} ${client.last_name}`;
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <span className="soft client-email">{client.email}</span>
      </td>
      <td data-label="Plan">{client.plan ?? 'None'}</td>
      <td data-label="Submissions">
        {formatNumber(client.creditsAvailable)} {isLow(client) && <span className="badge client-low">Low</span>}
      </td>
      <td data-label="This month">{monthOf(client)}</td>
      <td data-label="Running">{client.batches_running === 0 ? 'None' : formatNumber(client.batches_running)}</td>
      <td data-label="Last seen">{lastSeen(client)}</td>
      <td>
        <span className="client-acts">
          <Button variant="secondary" aria-label={`Act as ${name}`} onClick={() => onActAs(client)}>
            Act as
          </Button>
          <Button variant="ghost" aria-label={`Manage ${name}`} aria-haspopup="dialog" onClick={() => onManage(client)}>
            Manage
          </Button>
        </span>
      </td>
    </tr>
  );
}

function isLow({ creditsAvailable, low_balance_at }: ClientSummary): boolean {
  return low_balance_at !== null && creditsAvailable < low_balance_at;
}

function monthOf({ spent_this_month, monthly_limit }: ClientSummary): string {
  const spent = formatNumber(spent_this_month);
  return monthly_limit === null ? spent : `${spent} of ${formatNumber(monthly_limit)}`;
}

function lastSeen({ last_seen_at, accepted }: ClientSummary): string {
  if (last_seen_at) return formatTime(last_seen_at);
  return accepted ? 'Never' : 'Invited';
}

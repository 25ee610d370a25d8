import type { ClientSummary } from '@rowmill/contract';
import { hasLowBalance } from '../../entities/client/low-balance.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { TableHead } from '../../ui/table-head.tsx';

interface Props {
  clients: readonly ClientSummary[];
  onActAs: (client: ClientSummary) => void;
  onManage: (client: ClientSummary) => void;
}

/** Table on wide screens, cards on narrow ones. */
export function ClientTable({ clients, ...acts }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table" tabIndex={0} aria-label={texts.clients}>
      <table className="client-table">
        <TableHead columns={Object.values(texts.clientColumns)} />
        <tbody>
          {clients.map((client) => (
            <ClientRow key={client.id} client={client} {...acts} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ClientRow({
  client,
  onActAs,
  onManage,
}: { client: ClientSummary } & Omit<Props, 'clients'>) {
  const name = `${client.first_name} ${client.last_name}`;
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <span className="muted client-email">{client.email}</span>
      </td>
      <td data-label={texts.clientColumns.plan}>{client.plan ?? texts.noPlan}</td>
      <td data-label={texts.clientColumns.submissions}>
        {formatNumber(client.creditsAvailable)}{' '}
        {hasLowBalance(client) && <span className="badge client-low">{texts.low}</span>}
      </td>
      <td data-label={texts.clientColumns.month}>{monthOf(client)}</td>
      <td data-label={texts.clientColumns.running}>
        {client.batches_running === 0 ? texts.noneRunning : formatNumber(client.batches_running)}
      </td>
      <td data-label={texts.clientColumns.lastSeen}>{lastSeen(client)}</td>
      <td>
        <span className="client-acts">
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

function lastSeen({ last_seen_at, accepted }: ClientSummary): string {
  if (last_seen_at) return formatTime(last_seen_at);
  return accepted ? texts.neverSeen : texts.invited;
}

import type { ClientSummary } from '@rowmill/contract';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ClientAccess } from './client-access.tsx';
import { ClientCredits } from './client-credits.tsx';
import { ClientLimits } from './client-limits.tsx';

interface Props {
  client: ClientSummary;
  /** The submissions that the admin can give. */
  canGive: number | null;
  onClose: () => void;
}

export function ClientDialog({ client, canGive, onClose }: Props) {
  return (
    <Dialog title={`${client.first_name} ${client.last_name}`} size="medium" onClose={onClose}>
      <p className="muted long">
        {client.email} {client.phone && `· ${client.phone}`}
      </p>
      <ClientCredits client={client} canGive={canGive} />
      <ClientLimits client={client} />
      <ClientAccess client={client} />
      <div>
        <Button variant="secondary" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  );
}

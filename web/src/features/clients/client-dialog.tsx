import type { ClientSummary } from '@rowmill/contract';
import * as texts from '../../texts/clients.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ClientAccess } from './client-access.tsx';
import { ClientCredits } from './client-credits.tsx';
import { ClientLimits } from './client-limits.tsx';

export function ClientDialog({ client, onClose }: { client: ClientSummary; onClose: () => void }) {
  return (
    <Dialog title={`${client.first_name} ${client.last_name}`} size="medium" onClose={onClose}>
      <p className="muted long">
        {client.email} {client.phone && `· ${client.phone}`}
      </p>
      <ClientCredits client={client} />
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

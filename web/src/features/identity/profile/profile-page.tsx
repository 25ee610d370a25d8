import type { SwitchedAs } from '../../../lib/storage.ts';
import * as texts from '../../../texts/identity.ts';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { useAccount } from '../use-account.ts';
import { useActedClient } from '../use-acted-client.ts';
import { AddressSection } from './address-section.tsx';
import { ClientBillingSection, OwnBillingSection } from './billing-section.tsx';
import { DataSection } from './data-section.tsx';
import { DevicesSection } from './devices-section.tsx';
import { EmailsSection } from './emails-section.tsx';
import { NamesSection } from './names-section.tsx';
import { PhotoSection } from './photo-section.tsx';
import { ThemeSection } from './theme-section.tsx';

export function ProfilePage() {
  const client = useActedClient();
  return (
    <Loading query={useAccount()}>
      {({ user, pending_email, billing_address, sessions, batch_emails }) => (
        <div className="stack-wide form-page">
          {client && <OwnProfileNotice client={client} />}
          <PhotoSection user={user} />
          <NamesSection user={user} />
          <AddressSection email={user.email} pending={pending_email} />
          {client ? (
            <ClientBillingSection key={client.user_id} of={client} />
          ) : (
            <OwnBillingSection address={billing_address} />
          )}
          <DevicesSection sessions={sessions} />
          <EmailsSection isOn={batch_emails} />
          <ThemeSection />
          <DataSection />
        </div>
      )}
    </Loading>
  );
}

function OwnProfileNotice({ client: { first_name, last_name } }: { client: SwitchedAs }) {
  return (
    <Notice tone="warning">
      <RichText text={texts.ownProfile} parts={{ client: `${first_name} ${last_name}` }} />
    </Notice>
  );
}

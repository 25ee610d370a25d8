import { Loading } from '../../../ui/loading.tsx';
import { AddressSection } from '../components/address-section.tsx';
import { BillingSection } from '../components/billing-section.tsx';
import { DataSection } from '../components/data-section.tsx';
import { DevicesSection } from '../components/devices-section.tsx';
import { NamesSection } from '../components/names-section.tsx';
import { ThemeSection } from '../components/theme-section.tsx';
import { useAccount } from '../use-account.ts';

export function ProfilePage() {
  return (
    <Loading query={useAccount()}>
      {({ user, pending_email, billing_address, sessions }) => (
        <>
          <NamesSection user={user} />
          <AddressSection email={user.email} pending={pending_email} />
          <BillingSection address={billing_address} />
          <DevicesSection sessions={sessions} />
          <ThemeSection />
          <DataSection />
        </>
      )}
    </Loading>
  );
}

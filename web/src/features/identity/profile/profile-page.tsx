import { nameOf } from '@rowmill/contract';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useActedClient } from '../../../lib/session.ts';
import type { SwitchedAs } from '../../../lib/storage.ts';
import * as texts from '../../../texts/identity.ts';
import { Notice } from '../../../ui/notice.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import { ThemeChoice } from '../theme-choice.tsx';
import { useAccount } from '../use-account.ts';
import { AddressSection } from './address-section.tsx';
import { ClientBillingSection, OwnBillingSection } from './billing-section.tsx';
import { DataSection } from './data-section.tsx';
import { DevicesSection } from './devices-section.tsx';
import { EmailsSection } from './emails-section.tsx';
import { NamesSection } from './names-section.tsx';
import { PhotoSection } from './photo-section.tsx';
import { ProfileFrame, type ProfilePart } from './profile-frame.tsx';

export function ProfilePage() {
  const client = useActedClient();
  return (
    <ProfileFrame>
      <StaleWhileError query={useAccount()}>
        {({ user, pending_email, billing_address, sessions, batch_emails }) => (
          <>
            {client && <OwnProfileNotice client={client} />}
            <Part id="account">
              <PhotoSection user={user} />
              <NamesSection user={user} />
              <AddressSection email={user.email} pending={pending_email} />
            </Part>
            <Part id="billing">
              {client ? (
                <ClientBillingSection key={client.user_id} of={client} />
              ) : (
                <OwnBillingSection address={billing_address} />
              )}
            </Part>
            <Part id="security">
              <DevicesSection sessions={sessions} />
            </Part>
            <Part id="preferences">
              <EmailsSection isOn={batch_emails} />
              <ThemeSection />
            </Part>
            <Part id="data">
              <DataSection />
            </Part>
          </>
        )}
      </StaleWhileError>
    </ProfileFrame>
  );
}

/** A part that the menu beside the page leads to, also from another page. */
function Part({ id, children }: { id: ProfilePart; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second press leads there again
  useEffect(() => {
    if (hash !== `#${id}`) return;
    ref.current?.scrollIntoView();
    ref.current?.focus({ preventScroll: true });
  }, [hash, key, id]);
  return (
    <section ref={ref} className="stack-wide" tabIndex={-1} aria-label={texts.profileParts[id]}>
      {children}
    </section>
  );
}

function OwnProfileNotice({ client }: { client: SwitchedAs }) {
  return (
    <Notice tone="warning">
      <RichText text={texts.ownProfile} parts={{ client: nameOf(client) }} />
    </Notice>
  );
}

function ThemeSection() {
  return (
    <section className="card">
      <h2>{texts.appearance}</h2>
      <ThemeChoice />
    </section>
  );
}

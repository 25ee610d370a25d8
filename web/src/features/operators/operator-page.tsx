import type { ComponentType } from 'react';
import { OperatorTabs, type OperatorView, useOperatorView } from '../../entities/operator-tabs.tsx';
import { AuditSection } from './audit-section.tsx';
import { CostsSection } from './costs-section.tsx';
import { InvoiceListSection } from './invoice-list-section.tsx';
import { LedgerSection } from './ledger-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { ReviewSection } from './review-section.tsx';

const sections: Record<OperatorView, ComponentType> = {
  people: PeopleSection,
  reviews: Payments,
  audit: AuditSection,
  ledger: LedgerSection,
  costs: CostsSection,
};

function Payments() {
  return (
    <>
      <ReviewSection />
      <InvoiceListSection />
    </>
  );
}

export function OperatorPage() {
  const Section = sections[useOperatorView()];
  return (
    <>
      <OperatorTabs />
      <Section />
    </>
  );
}

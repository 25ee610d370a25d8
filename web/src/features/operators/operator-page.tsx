import type { ComponentType } from 'react';
import { Navigate } from 'react-router';
import { OperatorTabs, type OperatorView, useOperatorView } from '../../entities/operator-tabs.tsx';
import { useCan } from '../../lib/hooks/use-can.ts';
import { paths } from '../../lib/paths.ts';
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

/** The operator's page. The server refuses everyone else. */
export function OperatorPage() {
  const Section = sections[useOperatorView()];
  const mayView = useCan('viewInstallation');
  if (!mayView) return <Navigate to={paths.dashboard} replace />;
  return (
    <>
      <OperatorTabs />
      <Section />
    </>
  );
}

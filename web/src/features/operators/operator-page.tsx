import { Navigate, useSearchParams } from 'react-router';
import { useCan } from '../../lib/hooks/use-can.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/operators.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { AuditSection } from './audit-section.tsx';
import { BooksSection } from './books-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { ReviewSection } from './review-section.tsx';

const views = [
  ['people', texts.people, PeopleSection],
  ['reviews', texts.payments, ReviewSection],
  ['audit', texts.auditLog, AuditSection],
  ['books', texts.ledger, BooksSection],
] as const;

/** The operator's page. The server refuses everyone else. */
export function OperatorPage() {
  const [parameters] = useSearchParams();
  const mayView = useCan('viewInstallation');
  if (!mayView) return <Navigate to={paths.dashboard} replace />;
  const [view, , Section] = views.find(([name]) => name === parameters.get('view')) ?? views[0];
  return (
    <>
      <Tabs
        label={texts.operator}
        tabs={[
          ...views.map(([name, label]) => ({
            to: { search: `?view=${name}` },
            label,
            isCurrent: name === view,
          })),
          { to: paths.catalogue, label: texts.prices },
          { to: paths.providers, label: texts.providers },
        ]}
      />
      <Section />
    </>
  );
}

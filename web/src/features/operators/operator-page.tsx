import { Navigate, useSearchParams } from 'react-router';
import { OperatorTabs } from '../../entities/operator-tabs.tsx';
import { useCan } from '../../lib/hooks/use-can.ts';
import { paths } from '../../lib/paths.ts';
import { AuditSection } from './audit-section.tsx';
import { BooksSection } from './books-section.tsx';
import { CostsSection } from './costs-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { ReviewSection } from './review-section.tsx';

const views = {
  people: PeopleSection,
  reviews: ReviewSection,
  audit: AuditSection,
  books: BooksSection,
  costs: CostsSection,
};

/** The operator's page. The server refuses everyone else. */
export function OperatorPage() {
  const [parameters] = useSearchParams();
  const mayView = useCan('viewInstallation');
  if (!mayView) return <Navigate to={paths.dashboard} replace />;
  const view = parameters.get('view') ?? '';
  const Section = Object.hasOwn(views, view) ? views[view as keyof typeof views] : PeopleSection;
  return (
    <>
      <OperatorTabs />
      <Section />
    </>
  );
}

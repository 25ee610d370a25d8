import { Link, Navigate, useSearchParams } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { userCan } from '../../../lib/session.ts';
import { useStored } from '../../../lib/storage.ts';
import * as texts from '../../../texts/operators.ts';
import { AuditSection } from '../components/audit-section.tsx';
import { BooksSection } from '../components/books-section.tsx';
import { PeopleSection } from '../components/people-section.tsx';
import { ReviewSection } from '../components/review-section.tsx';

const views = [
  ['people', texts.people, PeopleSection],
  ['reviews', texts.payments, ReviewSection],
  ['audit', texts.auditLog, AuditSection],
  ['books', texts.ledger, BooksSection],
] as const;

/** For whoever answers for the installation. The server refuses everybody else, whatever his browser shows him. */
export function OperatorPage() {
  const [parameters] = useSearchParams();
  const user = useStored('currentUser');
  if (!userCan(user, 'viewInstallation')) return <Navigate to={paths.dashboard} replace />;
  const [view, , Section] = views.find(([name]) => name === parameters.get('view')) ?? views[0];
  return (
    <>
      <nav className="tabs" aria-label={texts.operator}>
        {views.map(([name, label]) => (
          <Link
            key={name}
            to={{ search: `?view=${name}` }}
            aria-current={name === view ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
        <Link to={paths.catalogue}>{texts.prices}</Link>
      </nav>
      <Section />
    </>
  );
}

import { Link, Navigate, useSearchParams } from 'react-router';
import { useCan } from '../../lib/hooks/use-can.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/operators.ts';
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

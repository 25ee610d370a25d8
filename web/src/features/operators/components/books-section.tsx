import { getInvariants } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { formatNumber, formatTime } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';

/** What must be true of the books, looked at now. Nothing is put right by itself. */
export function BooksSection() {
  const query = useQuery({ queryKey: ['books'], queryFn: () => call(getInvariants, {}), staleTime: 0 });
  return (
    <section className="card" aria-labelledby="books-title" aria-busy={query.isFetching}>
      <div className="spread">
        <h2 id="books-title">Books</h2>
        <Button variant="secondary" busy={query.isFetching} onClick={() => void query.refetch()}>
          Check again
        </Button>
      </div>
      <Loading query={query}>
        {({ invariants, checked_at }) => (
          <>
            <p role="status">
              {invariants.every(({ broken }) => broken === 0) ? 'The books are right.' : 'The books are not right.'}{' '}
              <span className="soft">Checked {formatTime(checked_at)}.</span>
            </p>
            <ul className="plain client-activity">
              {invariants.map(({ claim, broken, broken_by }) => (
                <li key={claim}>
                  <span className="long">
                    <strong>{broken === 0 ? 'Holds' : `Broken by ${formatNumber(broken)}`}</strong>: {claim}
                  </span>
                  {broken > 0 && <code className="long">{broken_by.join(', ')}</code>}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loading>
    </section>
  );
}

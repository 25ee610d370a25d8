import { type AnswerOf, getInvariants } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { EntryList } from '../../ui/list/entry-list.tsx';
import { Loading } from '../../ui/loading.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import styles from './operators.module.css';

/** Ledger checks, run now. Nothing is corrected automatically. */
export function LedgerSection() {
  const query = useQuery({ ...queryOf(getInvariants, {}), staleTime: 0 });
  return (
    <section className="card" aria-labelledby="ledger-title" aria-busy={query.isFetching}>
      <div className="spread">
        <h2 id="ledger-title" className="sr-only">
          {texts.ledger}
        </h2>
        <Button variant="secondary" busy={query.isFetching} onClick={() => void query.refetch()}>
          {texts.checkAgain}
        </Button>
      </div>
      <Loading query={query}>
        {({ invariants, checked_at }) => (
          <>
            <p role="status">
              {invariants.every(({ broken }) => broken === 0)
                ? texts.ledgerPasses
                : texts.ledgerFails}{' '}
              <span className="muted">{texts.checkedAt(formatTime(checked_at))}</span>
            </p>
            <EntryList entries={failingFirst(invariants)}>
              {({ claim, broken, broken_by }) => (
                <>
                  <span className={`${styles.check} ${broken > 0 ? styles.fails : ''}`}>
                    {broken > 0 ? (
                      <TriangleAlert aria-hidden size={16} />
                    ) : (
                      <CircleCheck role="img" aria-label={stateOf(broken)} size={16} />
                    )}
                    <span className={`long ${styles.claim}`}>
                      {broken > 0 ? (
                        <RichText
                          text={texts.claimIs}
                          parts={{ state: <strong>{stateOf(broken)}</strong>, claim }}
                        />
                      ) : (
                        claim
                      )}
                    </span>
                  </span>
                  {broken > 0 && <code className="long">{broken_by.join(', ')}</code>}
                </>
              )}
            </EntryList>
          </>
        )}
      </Loading>
    </section>
  );
}

function failingFirst(checks: AnswerOf<typeof getInvariants>['invariants']) {
  return checks
    .map((check) => ({ ...check, id: check.claim }))
    .toSorted((a, b) => Number(b.broken > 0) - Number(a.broken > 0));
}

function stateOf(broken: number): string {
  return broken === 0 ? texts.holds : texts.brokenBy(formatNumber(broken));
}

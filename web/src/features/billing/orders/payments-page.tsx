import { useQuery } from '@tanstack/react-query';
import { listState, useSearchState } from '../../../lib/hooks/use-search-state.ts';
import { paths } from '../../../lib/paths.ts';
import { useSubjectId } from '../../../lib/session.ts';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchField } from '../../../ui/form/search-field.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Paging } from '../../../ui/paging.tsx';
import { paymentsQuery, perPage } from '../api.ts';
import { InvoiceTabs } from './invoice-tabs.tsx';
import { PaymentTable } from './payment-table.tsx';

export function PaymentsPage() {
  const userId = useSubjectId();
  return userId ? <Payments key={userId} /> : null;
}

function Payments() {
  const [view, show] = useSearchState(listState);
  const query = useQuery(paymentsQuery(view));
  return (
    <section className="card" aria-labelledby="payments-title" aria-busy={query.isPlaceholderData}>
      <h2 id="payments-title" className="sr-only">
        {texts.yourPayments}
      </h2>
      <InvoiceTabs current={paths.payments} />
      {(view.search !== '' || query.isPlaceholderData || query.data?.total !== 0) && (
        <SearchField
          label={texts.search}
          placeholder={texts.paymentsHint}
          value={view.search}
          onSearch={(search) => show({ search })}
        />
      )}
      <Loading query={query}>
        {({ payments, total }) => (
          <>
            {payments.length > 0 && <PaymentTable payments={payments} />}
            {payments.length === 0 && (
              <NoPayments isFiltered={view.search !== ''} onClear={() => show({ search: '' })} />
            )}
            {total > 0 && (
              <Paging
                start={view.start}
                shown={payments.length}
                total={total}
                limit={perPage}
                onGo={(start) => show({ start })}
              />
            )}
          </>
        )}
      </Loading>
    </section>
  );
}

function NoPayments({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) return <p>{texts.noPayments}</p>;
  return (
    <div className="row">
      <p role="status">{texts.noPaymentMatches}</p>
      <Button variant="secondary" onClick={onClear}>
        {texts.showAllPayments}
      </Button>
    </div>
  );
}

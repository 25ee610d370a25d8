import { useQuery } from '@tanstack/react-query';
import { identifier, listState, useSearchState } from '../../../lib/hooks/use-search-state.ts';
import { paths } from '../../../lib/paths.ts';
import { useSubjectId } from '../../../lib/session.ts';
import * as texts from '../../../texts/billing.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { SearchField } from '../../../ui/form/search-field.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Paging } from '../../../ui/paging.tsx';
import { ordersQuery, perPage } from '../api.ts';
import { InvoiceTabs } from './invoice-tabs.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { OrderTable } from './order-table.tsx';

const ordersState = { ...listState, order: identifier };

export function OrdersPage() {
  const userId = useSubjectId();
  return userId ? <Orders key={userId} /> : null;
}

function Orders() {
  const [view, show] = useSearchState(ordersState);
  const query = useQuery(ordersQuery(view));
  return (
    <section className="card" aria-labelledby="orders-title" aria-busy={query.isPlaceholderData}>
      <h2 id="orders-title" className="sr-only">
        {texts.invoices}
      </h2>
      <InvoiceTabs current={paths.orders} />
      {(view.search !== '' || query.isPlaceholderData || query.data?.total !== 0) && (
        <SearchField
          label={texts.search}
          placeholder={texts.ordersHint}
          value={view.search}
          onSearch={(search) => show({ search })}
        />
      )}
      <Loading query={query}>
        {({ orders, total }) =>
          orders.length === 0 ? (
            <NoOrders
              isFiltered={view.search !== '' || total > 0}
              onClear={() => show({ search: '' })}
            />
          ) : (
            <>
              <OrderTable orders={orders} onShow={(order) => show({ order })} />
              <Paging
                start={view.start}
                shown={orders.length}
                total={total}
                limit={perPage}
                onGo={(start) => show({ start })}
              />
            </>
          )
        }
      </Loading>
      {view.order && <OrderDialog orderId={view.order} onClose={() => show({ order: null })} />}
    </section>
  );
}

function NoOrders({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <div className="row">
        <p role="status">{texts.noOrderMatches}</p>
        <Button variant="secondary" onClick={onClear}>
          {texts.showAllOrders}
        </Button>
      </div>
    );
  }
  return (
    <div className="stack">
      <p>{texts.noOrders}</p>
      <div>
        <ButtonLink to={paths.credits}>{texts.buyCredits}</ButtonLink>
      </div>
    </div>
  );
}

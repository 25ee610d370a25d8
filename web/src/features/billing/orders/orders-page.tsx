import { getOrders } from '@rowmill/contract';
import { queryOf } from '../../../lib/api/query.ts';
import { useOverlayEntry } from '../../../lib/hooks/use-overlay-entry.ts';
import { identifier, useSearchState } from '../../../lib/hooks/use-search-state.ts';
import { paths } from '../../../lib/paths.ts';
import { useSubjectId } from '../../../lib/session.ts';
import * as texts from '../../../texts/billing.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { SearchField } from '../../../ui/form/search-field.tsx';
import { ListSection, NothingFound } from '../../../ui/list/list-section.tsx';
import { Paging } from '../../../ui/list/paging.tsx';
import { useList } from '../../../ui/list/use-list.ts';
import { InvoiceTabs } from './invoice-tabs.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { OrderTable } from './order-table.tsx';

const openState = { order: identifier };

export function OrdersPage() {
  const userId = useSubjectId();
  return userId ? <Orders key={userId} /> : null;
}

function Orders() {
  const [{ order }, show] = useSearchState(openState);
  const { isOverlay, overlay, leave } = useOverlayEntry();
  const { query, search, page, isSearched, showAll } = useList((page) => ({
    ...queryOf(getOrders, page),
    staleTime: 0,
  }));
  return (
    <>
      <ListSection
        title={texts.invoices}
        hasHiddenTitle
        query={query}
        tools={
          <>
            <InvoiceTabs current={paths.orders} />
            {(isSearched || query.isPlaceholderData || query.data?.total !== 0) && (
              <SearchField label={texts.search} placeholder={texts.ordersHint} {...search} />
            )}
          </>
        }
      >
        {({ orders, total }) =>
          total > 0 ? (
            <>
              <OrderTable orders={orders} onShow={(order) => show({ order }, { state: overlay })} />
              <Paging {...page} shown={orders.length} total={total} />
            </>
          ) : isSearched ? (
            <NothingFound text={texts.noOrderMatches} all={texts.showAllOrders} onAll={showAll} />
          ) : (
            <NoOrders />
          )
        }
      </ListSection>
      {order && (
        <OrderDialog
          orderId={order}
          onClose={isOverlay ? leave : () => show({ order: null }, { replace: true })}
        />
      )}
    </>
  );
}

function NoOrders() {
  return (
    <div className="stack">
      <p>{texts.noOrders}</p>
      <div>
        <ButtonLink to={paths.credits}>{texts.buyCredits}</ButtonLink>
      </div>
    </div>
  );
}

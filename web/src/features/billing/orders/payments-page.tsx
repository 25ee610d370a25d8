import { getPayments } from '@rowmill/contract';
import { queryOf } from '../../../lib/api/query.ts';
import { paths } from '../../../lib/paths.ts';
import { useSubjectId } from '../../../lib/session.ts';
import * as texts from '../../../texts/billing.ts';
import { SearchField } from '../../../ui/form/search-field.tsx';
import { ListSection, NothingFound } from '../../../ui/list/list-section.tsx';
import { Paging } from '../../../ui/list/paging.tsx';
import { useList } from '../../../ui/list/use-list.ts';
import { InvoiceTabs } from './invoice-tabs.tsx';
import { PaymentTable } from './payment-table.tsx';

export function PaymentsPage() {
  const userId = useSubjectId();
  return userId ? <Payments key={userId} /> : null;
}

function Payments() {
  const { query, search, page, isFiltered, showAll } = useList((page) => ({
    ...queryOf(getPayments, page),
    staleTime: 0,
  }));
  return (
    <ListSection
      title={texts.yourPayments}
      hasHiddenTitle
      query={query}
      tools={
        <>
          <InvoiceTabs current={paths.payments} />
          {(isFiltered || query.isPlaceholderData || query.data?.total !== 0) && (
            <SearchField label={texts.search} placeholder={texts.paymentsHint} {...search} />
          )}
        </>
      }
    >
      {({ payments, total }) =>
        payments.length > 0 ? (
          <>
            <PaymentTable payments={payments} />
            <Paging {...page} shown={payments.length} total={total} />
          </>
        ) : isFiltered ? (
          <NothingFound text={texts.noPaymentMatches} all={texts.showAllPayments} onAll={showAll} />
        ) : (
          <p>{texts.noPayments}</p>
        )
      }
    </ListSection>
  );
}

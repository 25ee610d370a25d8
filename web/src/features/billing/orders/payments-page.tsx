import { getPayments, type PaymentSummary } from '@rowmill/contract';
import { Link } from 'react-router';
import { queryOf } from '../../../lib/api/query.ts';
import { formatTime } from '../../../lib/format.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import { orderPath, paths } from '../../../lib/paths.ts';
import { useSubjectId } from '../../../lib/session.ts';
import * as texts from '../../../texts/billing.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { SearchField } from '../../../ui/form/search-field.tsx';
import { ListSection, NothingFound } from '../../../ui/list/list-section.tsx';
import { Paging } from '../../../ui/list/paging.tsx';
import { useList } from '../../../ui/list/use-list.ts';
import { PaymentBadge } from '../payment-badge.tsx';
import { stateOfPayment } from '../payment-states.ts';
import { InvoiceTabs } from './invoice-tabs.tsx';

export function PaymentsPage() {
  const userId = useSubjectId();
  return userId ? <Payments key={userId} /> : null;
}

function Payments() {
  const { query, search, page, isSearched, showAll } = useList((page) => ({
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
          {(isSearched || query.isPlaceholderData || query.data?.total !== 0) && (
            <SearchField label={texts.search} placeholder={texts.paymentsHint} {...search} />
          )}
        </>
      }
    >
      {({ payments, total }) =>
        total > 0 ? (
          <>
            <PaymentTable payments={payments} />
            <Paging {...page} shown={payments.length} total={total} />
          </>
        ) : isSearched ? (
          <NothingFound text={texts.noPaymentMatches} all={texts.showAllPayments} onAll={showAll} />
        ) : (
          <p>{texts.noPayments}</p>
        )
      }
    </ListSection>
  );
}

function PaymentTable({ payments }: { payments: readonly PaymentSummary[] }) {
  return (
    <DataTable
      label={texts.tableOfPayments}
      columns={texts.paymentColumns}
      amounts={['amount', 'refunded']}
      rows={payments}
      keyOf={({ id }) => id}
      cells={(payment) => ({
        when: <time dateTime={payment.created_at}>{formatTime(payment.created_at)}</time>,
        what: (
          <Link className="long" to={orderPath(payment.order_id)}>
            {payment.description}
          </Link>
        ),
        provider: texts.providers[payment.provider],
        state: (
          <>
            <PaymentBadge state={stateOfPayment(payment)} />
            {payment.problem && <p className="muted">{payment.problem}</p>}
          </>
        ),
        amount: formatMoney(payment.total_minor, payment.currency),
        refunded:
          payment.refunded_minor > 0 ? formatMoney(payment.refunded_minor, payment.currency) : null,
      })}
    />
  );
}

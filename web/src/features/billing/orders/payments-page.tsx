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

const { amount, refunded } = texts.paymentColumns;

function PaymentTable({ payments }: { payments: readonly PaymentSummary[] }) {
  return (
    <DataTable
      label={texts.tableOfPayments}
      columns={Object.values(texts.paymentColumns)}
      amounts={[amount, refunded]}
    >
      {payments.map((payment) => (
        <PaymentLine key={payment.id} payment={payment} />
      ))}
    </DataTable>
  );
}

function PaymentLine({ payment }: { payment: PaymentSummary }) {
  const { created_at, description, provider, problem, total_minor, refunded_minor, currency } =
    payment;
  return (
    <tr>
      <td>
        <time dateTime={created_at}>{formatTime(created_at)}</time>
      </td>
      <td className="long" data-label={texts.paymentColumns.what}>
        <Link to={orderPath(payment.order_id)}>{description}</Link>
      </td>
      <td data-label={texts.paymentColumns.provider}>{texts.providers[provider]}</td>
      <td data-label={texts.paymentColumns.state}>
        <PaymentBadge state={stateOfPayment(payment)} />
        {problem && <p className="muted">{problem}</p>}
      </td>
      <td className="amount" data-label={amount}>
        {formatMoney(total_minor, currency)}
      </td>
      <td className="amount" data-label={refunded}>
        {refunded_minor > 0 ? formatMoney(refunded_minor, currency) : texts.nothingRefunded}
      </td>
    </tr>
  );
}

import type { PaymentSummary } from '@rowmill/contract';
import { Link } from 'react-router';
import { formatMoney, formatTime } from '../../../lib/format.ts';
import { orderPath } from '../../../lib/paths.ts';
import * as texts from '../../../texts/billing.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { PaymentBadge } from '../payment-badge.tsx';
import { stateOfPayment } from '../payment-states.ts';

const { amount, refunded } = texts.paymentColumns;

export function PaymentTable({ payments }: { payments: readonly PaymentSummary[] }) {
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

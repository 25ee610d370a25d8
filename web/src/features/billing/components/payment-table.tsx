import type { PaymentSummary } from '@rowmill/contract';
import { Link } from 'react-router';
import { formatMoney, formatTime } from '../../../lib/format.ts';
import { orderPath } from '../../../lib/paths.ts';
import { TableHead } from '../../../ui/table-head.tsx';
import { PaymentBadge } from './payment-badge.tsx';

const columns = ['When', 'What', 'Provider', 'State', 'Amount', 'Given back'] as const;

export function PaymentTable({ payments }: { payments: readonly PaymentSummary[] }) {
  return (
    <table className="shop-table">
      <TableHead columns={columns} />
      <tbody>
        {payments.map((payment) => (
          <PaymentLine key={payment.id} payment={payment} />
        ))}
      </tbody>
    </table>
  );
}

function PaymentLine({ payment }: { payment: PaymentSummary }) {
  const { created_at, description, provider, payment_status, problem, total_minor, refunded_minor, currency } = payment;
  return (
    <tr>
      <th scope="row">
        <time dateTime={created_at}>{formatTime(created_at)}</time>
      </th>
      <td className="long">
        <Link to={orderPath(payment.order_id)}>{description}</Link>
      </td>
      <td data-label="Provider">{provider === 'card' ? 'Card' : 'Wallet'}</td>
      <td>
        <PaymentBadge state={payment_status} />
        {problem && <p className="soft">{problem}</p>}
      </td>
      <td data-label="Amount">{formatMoney(total_minor, currency)}</td>
      <td data-label="Given back">{refunded_minor > 0 ? formatMoney(refunded_minor, currency) : 'Nothing'}</td>
    </tr>
  );
}

import type { OrderSummary } from '@rowmill/contract';
import { formatTime } from '../../../lib/format.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import { payPath } from '../../../lib/paths.ts';
import * as texts from '../../../texts/billing.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { PaymentBadge } from '../payment-badge.tsx';
import { stateOf } from '../payment-states.ts';
import { InvoiceButton } from './invoice-button.tsx';

interface Props {
  orders: readonly OrderSummary[];
  onShow: (orderId: string) => void;
}

/** Table on wide screens, cards on narrow ones. */
export function OrderTable({ orders, onShow }: Props) {
  return (
    <DataTable
      label={texts.tableOfInvoices}
      columns={Object.values(texts.orderColumns)}
      amounts={[texts.orderColumns.total]}
    >
      {orders.map((order) => (
        <OrderLine key={order.order_id} order={order} onShow={() => onShow(order.order_id)} />
      ))}
    </DataTable>
  );
}

function OrderLine({ order, onShow }: { order: OrderSummary; onShow: () => void }) {
  const { number, created_at, description, total_minor, refunded_minor, currency } = order;
  const name = number ?? texts.orderOf(formatTime(created_at));
  return (
    <tr>
      <td>
        <strong>{number ?? (order.replaced_by ? texts.noInvoice : texts.noInvoiceYet)}</strong>
        <div className="muted">
          <time dateTime={created_at}>{formatTime(created_at)}</time>
        </div>
      </td>
      <td className="long" data-label={texts.orderColumns.what}>
        {description}
      </td>
      <td data-label={texts.orderColumns.state}>
        <PaymentBadge state={stateOf(order)} />
      </td>
      <td className="amount" data-label={texts.orderColumns.total}>
        {formatMoney(total_minor, currency)}
        {refunded_minor > 0 && (
          <span className="muted"> {texts.sumRefunded(formatMoney(refunded_minor, currency))}</span>
        )}
      </td>
      <td>
        <span className="row">
          <Button variant="secondary" aria-label={texts.detailsOf(name)} onClick={onShow}>
            {texts.details}
          </Button>
          {order.invoice_url && <InvoiceButton orderId={order.order_id} number={number ?? ''} />}
          {order.can_resume && (
            <ButtonLink to={payPath(order)} aria-label={texts.payNowFor(name)}>
              {texts.payNow}
            </ButtonLink>
          )}
        </span>
      </td>
    </tr>
  );
}

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
      columns={texts.orderColumns}
      amounts={['total']}
      rows={orders}
      keyOf={({ order_id }) => order_id}
      cells={(order) => ({
        order: <OrderNumber order={order} />,
        what: <span className="long">{order.description}</span>,
        state: <PaymentBadge state={stateOf(order)} />,
        total: <OrderTotal order={order} />,
      })}
      actions={(order) => <OrderActions order={order} onShow={() => onShow(order.order_id)} />}
    />
  );
}

function OrderNumber({ order: { number, replaced_by, created_at } }: { order: OrderSummary }) {
  return (
    <>
      <strong>{number ?? (replaced_by ? texts.noInvoice : texts.noInvoiceYet)}</strong>
      <div className="muted">
        <time dateTime={created_at}>{formatTime(created_at)}</time>
      </div>
    </>
  );
}

function OrderTotal({ order }: { order: OrderSummary }) {
  const { total_minor, refunded_minor, currency } = order;
  return (
    <>
      {formatMoney(total_minor, currency)}
      {refunded_minor > 0 && (
        <span className="muted"> {texts.sumRefunded(formatMoney(refunded_minor, currency))}</span>
      )}
    </>
  );
}

function OrderActions({ order, onShow }: { order: OrderSummary; onShow: () => void }) {
  const { order_id, number, created_at, invoice_url } = order;
  const name = number ?? texts.orderOf(formatTime(created_at));
  return (
    <span className="row">
      <Button variant="secondary" aria-label={texts.detailsOf(name)} onClick={onShow}>
        {texts.details}
      </Button>
      {invoice_url && <InvoiceButton orderId={order_id} number={number ?? ''} />}
      {order.can_resume && (
        <ButtonLink to={payPath(order)} aria-label={texts.payNowFor(name)}>
          {texts.payNow}
        </ButtonLink>
      )}
    </span>
  );
}

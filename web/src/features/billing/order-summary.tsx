import { packContents } from '../../entities/cart/packs.ts';
import { formatNumber, formatTax } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import * as texts from '../../texts/billing.ts';
import type { OrderDetails } from './api.ts';
import styles from './billing.module.css';

/** Lines, tax and total at the ordered prices. */
export function OrderSummary({
  details: { order, lines, tax_minor, tax_name, tax_percent },
}: {
  details: OrderDetails;
}) {
  const tax = formatTax({ name: tax_name, percent: tax_percent });
  const money = (minor: number) => formatMoney(minor, order.currency);
  return (
    <div className="stack">
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={`${line.name} ${line.rate_minor}`}>
            <div>
              {line.quantity > 1 && `${formatNumber(line.quantity)} × `}
              {line.name}
              <div className="muted">{packContents(line.name, line.quantity * line.count)}</div>
            </div>
            <span>{money(line.total_minor)}</span>
          </li>
        ))}
      </ul>
      <dl className={styles.totals}>
        {tax && (
          <>
            <dt className="muted">{texts.includedTax(tax)}</dt>
            <dd className="muted">{money(tax_minor)}</dd>
          </>
        )}
        <dt>{texts.total}</dt>
        <dd className={styles.total}>{money(order.total_minor)}</dd>
        {order.refunded_minor > 0 && (
          <>
            <dt>{texts.refunded}</dt>
            <dd>{money(order.refunded_minor)}</dd>
          </>
        )}
      </dl>
    </div>
  );
}

import type { TaxIncluded } from '@rowmill/contract';
import {
  type Cart,
  type CartItem,
  maximumQuantity,
  saveCart,
  withQuantity,
} from '../../../entities/cart/cart.ts';
import { formatMoney, formatNumber, formatTax } from '../../../lib/format.ts';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { QuantityField } from '../../../ui/form/quantity-field.tsx';
import { TableHead } from '../../../ui/table-head.tsx';
import styles from '../billing.module.css';

interface Props {
  userId: string;
  cart: Cart;
  currency: string;
  tax: TaxIncluded;
  /** The pressed button disappears with its line, so focus must move. */
  onRemoved: () => void;
}

/** The editable cart. */
export function CartLines({ userId, cart, currency, tax, onRemoved }: Props) {
  const change = (item: CartItem, quantity: number) =>
    saveCart(userId, withQuantity(cart.items, item.id, quantity));
  return (
    <>
      <table className={`${styles.table} stacking`}>
        <TableHead columns={Object.values(texts.cartColumns)} />
        <tbody>
          {cart.items.map((item) => (
            <Line
              key={item.id}
              item={item}
              currency={currency}
              onChange={(quantity) => change(item, quantity)}
              onRemove={() => {
                change(item, 0);
                onRemoved();
              }}
            />
          ))}
        </tbody>
      </table>
      <dl className={styles.totals} aria-live="polite">
        <dt>{texts.submissions}</dt>
        <dd>{formatNumber(cart.qty)}</dd>
        <dt>
          {texts.total} <span className="muted">{texts.withTax(formatTax(tax))}</span>
        </dt>
        <dd className={styles.total}>{formatMoney(cart.total, currency)}</dd>
      </dl>
    </>
  );
}

interface LineProps {
  item: CartItem;
  currency: string;
  onChange: (quantity: number) => void;
  onRemove: () => void;
}

function Line({ item, currency, onChange, onRemove }: LineProps) {
  const { quantity, count, rate, name = texts.countOf(formatNumber(count)) } = item;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <QuantityField
          label={texts.quantityOf(name)}
          value={quantity}
          maximum={maximumQuantity}
          onChange={onChange}
        />
      </td>
      <td data-label={texts.cartColumns.submissions}>{formatNumber(quantity * count)}</td>
      <td data-label={texts.cartColumns.price}>{formatMoney(quantity * rate, currency)}</td>
      <td>
        <Button variant="ghost" aria-label={texts.removeLine(name)} onClick={onRemove}>
          {texts.remove}
        </Button>
      </td>
    </tr>
  );
}

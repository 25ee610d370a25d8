import type { TaxIncluded } from '@rowmill/contract';
import { type Cart, type CartItem, keepCart, mostOfOne, withQuantity } from '../../../lib/cart.ts';
import { formatMoney, formatNumber } from '../../../lib/format.ts';
import { taxWords } from '../../../lib/tax-words.ts';
import { Button } from '../../../ui/button.tsx';
import { QuantityField } from '../../../ui/quantity-field.tsx';
import { TableHead } from '../../../ui/table-head.tsx';

const columns = ['Pack', 'Quantity', 'Submissions', 'Price', 'Change'] as const;

interface Props {
  userId: string;
  cart: Cart;
  currency: string;
  tax: TaxIncluded;
  /** The button that was pressed goes with its line; the focus must not go nowhere. */
  onRemoved: () => void;
}

/** What is bought, to be changed until it is ordered. */
export function CartLines({ userId, cart, currency, tax, onRemoved }: Props) {
  const change = (item: CartItem, quantity: number) => keepCart(userId, withQuantity(cart.items, item.id, quantity));
  return (
    <>
      <table className="shop-table">
        <TableHead columns={columns} />
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
      <dl className="shop-totals" aria-live="polite">
        <dt>Submissions</dt>
        <dd>{formatNumber(cart.qty)}</dd>
        <dt>
          Total <span className="soft">with {taxWords(tax)}</span>
        </dt>
        <dd className="shop-total">{formatMoney(cart.total, currency)}</dd>
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
  const { quantity, count, rate, name = `${formatNumber(count)} submissions` } = item;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <QuantityField label={`Quantity of ${name}`} value={quantity} most={mostOfOne} onChange={onChange} />
      </td>
      <td data-label="Submissions">{formatNumber(quantity * count)}</td>
      <td data-label="Price">{formatMoney(quantity * rate, currency)}</td>
      <td>
        <Button variant="ghost" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </td>
    </tr>
  );
}

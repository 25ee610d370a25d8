import { maximumQuantity } from '@rowmill/contract';
import { type Cart, type CartItem, saveCart, withQuantity } from '../../../entities/cart/cart.ts';
import { formatNumber } from '../../../lib/format.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { QuantityField } from '../../../ui/form/quantity-field.tsx';

const amounts = [texts.cartColumns.submissions, texts.cartColumns.price];

interface Props {
  userId: string;
  cart: Cart;
  currency: string;
  /** The pressed button disappears with its line, so focus must move. */
  onRemoved: () => void;
}

/** The editable cart. */
export function CartLines({ userId, cart, currency, onRemoved }: Props) {
  const change = (item: CartItem, quantity: number) =>
    saveCart(userId, withQuantity(cart.items, item.id, quantity));
  return (
    <DataTable
      label={texts.tableOfPacks}
      columns={Object.values(texts.cartColumns)}
      amounts={amounts}
    >
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
    </DataTable>
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
      <td data-label={texts.cartColumns.quantity}>
        <QuantityField
          label={texts.quantityOf(name)}
          value={quantity}
          maximum={maximumQuantity}
          onChange={onChange}
        />
      </td>
      <td className="amount" data-label={texts.cartColumns.submissions}>
        {formatNumber(quantity * count)}
      </td>
      <td className="amount" data-label={texts.cartColumns.price}>
        {formatMoney(quantity * rate, currency)}
      </td>
      <td>
        <Button variant="ghost" aria-label={texts.removeLine(name)} onClick={onRemove}>
          {texts.remove}
        </Button>
      </td>
    </tr>
  );
}

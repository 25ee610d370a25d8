import { maximumQuantity } from '@rowmill/contract';
import { type Cart, type CartItem, saveCart, withQuantity } from '../../../entities/cart/cart.ts';
import { formatNumber } from '../../../lib/format.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import * as texts from '../../../texts/billing.ts';
import { submissionCount } from '../../../texts/entities.ts';
import { Button, isRepeated } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { QuantityField } from '../../../ui/form/quantity-field.tsx';

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
      columns={texts.cartColumns}
      amounts={['submissions', 'price']}
      rows={cart.items}
      keyOf={({ id }) => id}
      cells={(item) => ({
        pack: <strong>{nameOf(item)}</strong>,
        quantity: (
          <QuantityField
            label={texts.quantityOf(nameOf(item))}
            value={item.quantity}
            maximum={maximumQuantity}
            onChange={(quantity) => change(item, quantity)}
          />
        ),
        submissions: formatNumber(item.quantity * item.count),
        price: formatMoney(item.quantity * item.rate, currency),
      })}
      actions={(item) => (
        <Button
          variant="ghost"
          aria-label={texts.removeLine(nameOf(item))}
          onClick={(event) => {
            if (isRepeated(event)) return;
            change(item, 0);
            onRemoved();
          }}
        >
          {texts.remove}
        </Button>
      )}
    />
  );
}

const nameOf = ({ name, count }: CartItem) => name ?? submissionCount(formatNumber(count));

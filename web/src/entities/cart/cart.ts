import { type CreditPack, maximumQuantity, totalsOf } from '@rowmill/contract';
import { storage, useStored } from '../../lib/storage.ts';

/** One line of the cart: `quantity` packs of `count` submissions at `rate` minor units each. */
export interface CartItem {
  id: string;
  quantity: number;
  count: number;
  rate: number;
  name?: string;
}

type Pack = Pick<CreditPack, 'id' | 'name' | 'count' | 'rate_minor'>;

export type Cart = ReturnType<typeof useCart>;

export function useCart(userId: string) {
  const sale = useStored('currentSale');
  const items: readonly CartItem[] = sale?.items ?? [];
  /** It was filled for another person, such as a former client, and cannot be sold here. */
  const isForeign = items.length > 0 && sale?.customer?.user_id !== userId;
  /** The order made of it that is not known to be paid. */
  const orderId = (!isForeign && sale?.order_id) || null;
  return { items, ...totalsOf(items), isForeign, orderId };
}

/** Everything that shows the cart, the header too, follows at once. An empty one is removed. */
export function saveCart(userId: string, items: readonly CartItem[]): void {
  if (items.length === 0) emptyCart();
  else
    storage.write('currentSale', {
      items: [...items],
      customer: { user_id: userId },
      type: 'credits',
    });
}

/** Reads before it writes, so items of another tab stay. Items of another person are dropped. */
export function addToCart(
  userId: string,
  packs: readonly { pack: Pack; quantity: number }[],
): void {
  const sale = storage.read('currentSale');
  const present: readonly CartItem[] = sale?.customer?.user_id === userId ? sale.items : [];
  saveCart(
    userId,
    packs.reduce((items, { pack, quantity }) => withMore(items, pack, quantity), present),
  );
}

export function emptyCart(): void {
  storage.remove('currentSale');
}

/** The cart then leads to its order, so it is not paid twice. A change makes a new cart. */
export function markOrdered(orderId: string): void {
  const sale = storage.read('currentSale');
  if (sale) storage.write('currentSale', { ...sale, order_id: orderId });
}

/** Items chosen after the order stay. */
export function removePaidCart(orderId: string): void {
  if (storage.read('currentSale')?.order_id === orderId) emptyCart();
}

/** Detaches the cart from its order, so that it can be changed. */
export function reopenCart(orderId: string): void {
  const { order_id, ...sale } = storage.read('currentSale') ?? { items: [] };
  if (order_id === orderId) storage.write('currentSale', sale);
}

export function withMore(items: readonly CartItem[], pack: Pack, quantity: number): CartItem[] {
  const present = items.find(({ id }) => id === pack.id)?.quantity ?? 0;
  const line = lineOf(pack, Math.min(present + quantity, maximumQuantity));
  return present === 0
    ? [...items, line]
    : items.map((item) => (item.id === pack.id ? line : item));
}

/** A quantity of 0 removes the line. */
export function withQuantity(items: readonly CartItem[], id: string, quantity: number): CartItem[] {
  const amount = Math.min(Math.max(Math.trunc(quantity) || 0, 0), maximumQuantity);
  return items.flatMap((item) =>
    item.id !== id ? [item] : amount === 0 ? [] : [{ ...item, quantity: amount }],
  );
}

/** The same items at current contents and prices; packs no longer on sale are left out. */
export function atCurrentPrices(items: readonly CartItem[], packs: readonly Pack[]): CartItem[] {
  return items.flatMap(({ id, quantity }) =>
    packs.filter((pack) => pack.id === id).map((pack) => lineOf(pack, quantity)),
  );
}

export function isSameCart(one: readonly CartItem[], other: readonly CartItem[]): boolean {
  const contents = (items: readonly CartItem[]) =>
    JSON.stringify(items.map(({ id, quantity, count, rate }) => [id, quantity, count, rate]));
  return contents(one) === contents(other);
}

function lineOf({ id, name, count, rate_minor }: Pack, quantity: number): CartItem {
  return { id, quantity, count, rate: rate_minor, name };
}

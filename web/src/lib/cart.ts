import { type CreditPack, totalsOf } from '@rowmill/contract';
import { storage, useStored } from './storage.ts';

/** One line of the sale that is being prepared: so many packs of `count` submissions at `rate` minor units each. */
export interface CartItem {
  id: string;
  quantity: number;
  count: number;
  rate: number;
  name?: string | undefined;
}

interface Customer {
  user_id: string;
}

type Pack = Pick<CreditPack, 'id' | 'name' | 'count' | 'rate_minor'>;

/** The most that an order takes of one pack. */
export const mostOfOne = 10_000;

export interface Cart {
  items: readonly CartItem[];
  qty: number;
  total: number;
  /** It was filled for somebody else, such as the client whom an admin acted as before; nothing of it may be sold here. */
  isForeign: boolean;
  /** An order was made of it that is not known to be paid. */
  orderId: string | null;
}

/** What a person has chosen to buy, by the spec's two formulas. */
export function useCart(userId: string): Cart {
  const sale = useStored('currentSale');
  const items = sale?.items ?? [];
  const isForeign = items.length > 0 && !isFor(sale?.customer, userId);
  return { items, ...totalsOf(items), isForeign, orderId: (!isForeign && sale?.order_id) || null };
}

/** Everything that shows the sale, the header too, follows at once. An empty one is not kept. */
export function keepCart(userId: string, items: readonly CartItem[]): void {
  if (items.length === 0) storage.remove('currentSale');
  else
    storage.write('currentSale', {
      items: [...items],
      customer: { user_id: userId } satisfies Customer,
      type: 'credits',
    });
}

/** Reads before it writes, so that what another tab added stays; what was chosen for somebody else does not. */
export function addToCart(
  userId: string,
  packs: readonly { pack: Pack; quantity: number }[],
): void {
  const sale = storage.read('currentSale');
  const present: readonly CartItem[] = sale && isFor(sale.customer, userId) ? sale.items : [];
  keepCart(
    userId,
    packs.reduce((items, { pack, quantity }) => withMore(items, pack, quantity), present),
  );
}

export function emptyCart(): void {
  storage.remove('currentSale');
}

/** The sale stays only with the customer for whom it was filled. */
export function leaveCartBehind(userId: string): void {
  const sale = storage.read('currentSale');
  if (sale && !isFor(sale.customer, userId)) emptyCart();
}

/** From now on the sale leads to its order, so that nobody pays for it twice; any change makes it a new one. */
export function markOrdered(orderId: string): void {
  const sale = storage.read('currentSale');
  if (sale) storage.write('currentSale', { ...sale, order_id: orderId });
}

/** What has been paid is not for sale again; what was chosen meanwhile stays. */
export function forgetSold(orderId: string): void {
  if (storage.read('currentSale')?.order_id === orderId) emptyCart();
}

/** The person wants something else than what the order holds. */
export function reopenCart(orderId: string): void {
  const { order_id, ...sale } = storage.read('currentSale') ?? { items: [] };
  if (order_id === orderId) storage.write('currentSale', sale);
}

export function withMore(items: readonly CartItem[], pack: Pack, quantity: number): CartItem[] {
  const present = items.find(({ id }) => id === pack.id)?.quantity ?? 0;
  const line = lineOf(pack, Math.min(present + quantity, mostOfOne));
  return present === 0
    ? [...items, line]
    : items.map((item) => (item.id === pack.id ? line : item));
}

/** None of a pack is no line. */
export function withQuantity(items: readonly CartItem[], id: string, quantity: number): CartItem[] {
  const amount = Math.min(Math.max(Math.trunc(quantity) || 0, 0), mostOfOne);
  return items.flatMap((item) =>
    item.id !== id ? [item] : amount === 0 ? [] : [{ ...item, quantity: amount }],
  );
}

/** The same choice at what the packs hold and cost now; those that are not sold any more stay out. */
export function atPresentPrices(items: readonly CartItem[], packs: readonly Pack[]): CartItem[] {
  return items.flatMap(({ id, quantity }) =>
    packs.filter((pack) => pack.id === id).map((pack) => lineOf(pack, quantity)),
  );
}

export function isSameSale(one: readonly CartItem[], other: readonly CartItem[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, quantity, count, rate }, index) => {
      const twin = other[index];
      return (
        twin?.id === id && twin.quantity === quantity && twin.count === count && twin.rate === rate
      );
    })
  );
}

function lineOf({ id, name, count, rate_minor }: Pack, quantity: number): CartItem {
  return { id, quantity, count, rate: rate_minor, name };
}

function isFor(customer: unknown, userId: string): boolean {
  return (customer as Customer | undefined)?.user_id === userId;
}

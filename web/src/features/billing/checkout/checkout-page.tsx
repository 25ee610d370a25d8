import {
  type AnswerOf,
  type CreditPack,
  type listCreditsAvailableForPurchase,
  totalsOf,
} from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, Navigate } from 'react-router';
import {
  atCurrentPrices,
  type Cart,
  type CartItem,
  emptyCart,
  isSameCart,
  markOrdered,
  reopenCart,
  saveCart,
  useCart,
  withMore,
} from '../../../entities/cart/cart.ts';
import { currencyOf, packsQuery } from '../../../entities/cart/packs.ts';
import { packsFor } from '../../../entities/cart/packs-for.ts';
import { formatNumber } from '../../../lib/format.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import { paths, payPath } from '../../../lib/paths.ts';
import { useSubjectId } from '../../../lib/session.ts';
import * as texts from '../../../texts/billing.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { OrderPayment } from '../payment/order-payment.tsx';
import { useOrderInUrl } from '../payment/use-order-in-url.ts';
import { CartLines } from './cart-lines.tsx';
import { PaidCredits } from './paid-credits.tsx';
import { PurchaseForm } from './purchase-form.tsx';

export function CheckoutPage() {
  const userId = useSubjectId();
  // One page per buyer: nothing started for one person is paid for another.
  return userId ? <Checkout key={userId} userId={userId} /> : null;
}

/** The cart before the order; afterwards the order named in the URL. */
function Checkout({ userId }: { userId: string }) {
  const { orderId, arrival, show } = useOrderInUrl();
  const cart = useCart(userId);
  if (orderId) {
    return (
      <OrderPayment
        key={orderId}
        orderId={orderId}
        userId={userId}
        arrival={arrival}
        paid={(settled, { order }) => (
          <PaidCredits settled={settled} order={order} userId={userId} />
        )}
        change={{
          label: texts.backToCart,
          onChange: () => {
            reopenCart(orderId);
            show(null);
          },
        }}
      />
    );
  }
  if (cart.orderId)
    return <Navigate to={payPath({ type: 'credits', order_id: cart.orderId })} replace />;
  if (cart.isForeign) return <ForeignCart />;
  if (cart.items.length === 0) return <EmptyCart />;
  return <OpenCart userId={userId} cart={cart} onOrdered={show} />;
}

function EmptyCart() {
  return (
    <section className="card">
      <h2>{texts.emptyCartTitle}</h2>
      <p>{texts.emptyCart}</p>
      <div>
        <ButtonLink to={paths.credits}>{texts.buyCredits}</ButtonLink>
      </div>
    </section>
  );
}

function ForeignCart() {
  return (
    <section className="card">
      <h2>{texts.foreignCartTitle}</h2>
      <p>{texts.foreignCart}</p>
      <div className="row">
        <Button variant="secondary" onClick={emptyCart}>
          {texts.emptyTheCart}
        </Button>
        <Link to={paths.credits}>{texts.buyCredits}</Link>
      </div>
    </section>
  );
}

interface Props {
  userId: string;
  cart: Cart;
  onOrdered: (orderId: string) => void;
}

function OpenCart(props: Props) {
  const query = useQuery(packsQuery());
  return <Loading query={query}>{(offer) => <CartAtPrices {...props} offer={offer} />}</Loading>;
}

type Offer = AnswerOf<typeof listCreditsAvailableForPurchase>;

function CartAtPrices({
  userId,
  cart,
  onOrdered,
  offer: { credits, tax },
}: Props & { offer: Offer }) {
  const section = useRef<HTMLElement>(null);
  const present = atCurrentPrices(cart.items, credits);
  const isOld = !isSameCart(cart.items, present);
  const currency = currencyOf(credits);
  function order(orderId: string): void {
    markOrdered(orderId);
    onOrdered(orderId);
  }
  return (
    <PurchaseForm
      sale={{ type: 'credits', items: cart.items, currency }}
      total={{ minor: cart.total, currency }}
      tax={tax}
      submissions={cart.qty}
      obstacle={isOld ? texts.pricesChanged : null}
      hint={
        !isOld && <BetterPrice userId={userId} cart={cart} packs={credits} currency={currency} />
      }
      onOrdered={order}
    >
      <section ref={section} className="card" tabIndex={-1} aria-labelledby="lines-title">
        <h2 id="lines-title">{texts.yourCart}</h2>
        <CartLines
          userId={userId}
          cart={cart}
          currency={currency}
          onRemoved={() => section.current?.focus()}
        />
        {isOld && <OldPrices onRenew={() => saveCart(userId, present)} />}
        <div className="row">
          <Link to={paths.credits}>{texts.addMore}</Link>
        </div>
      </section>
    </PurchaseForm>
  );
}

interface BetterPriceProps {
  userId: string;
  cart: Cart;
  packs: readonly CreditPack[];
  currency: string;
}

/** Offers other packs that hold at least as much for less. */
function BetterPrice({ userId, cart, packs, currency }: BetterPriceProps) {
  const better = packsFor(cart.qty, packs).reduce<CartItem[]>(
    (items, { pack, quantity }) => withMore(items, pack, quantity),
    [],
  );
  const { total, qty } = totalsOf(better);
  if (better.length === 0 || total >= cart.total || qty < cart.qty) return null;
  const saved = formatMoney(cart.total - total, currency);
  return (
    <Notice isStatic>
      <p>{texts.betterPrice({ submissions: formatNumber(qty), saved })}</p>
      <Button variant="secondary" onClick={() => saveCart(userId, better)}>
        {texts.swapPacks}
      </Button>
    </Notice>
  );
}

function OldPrices({ onRenew }: { onRenew: () => void }) {
  return (
    <Notice tone="warning">
      <p>{texts.oldPrices}</p>
      <Button variant="secondary" onClick={onRenew}>
        {texts.showCurrentPrices}
      </Button>
    </Notice>
  );
}

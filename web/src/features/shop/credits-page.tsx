import type { CreditPack, TaxIncluded } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { batchToResume } from '../../entities/batch/resume-batch.ts';
import { type Cart, useCart } from '../../entities/cart/cart.ts';
import { currencyOf, packsQuery } from '../../entities/cart/packs.ts';
import { DebtNotice } from '../../entities/credits/debt-notice.tsx';
import { formatNumber, formatTax } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { identifier, pageStart, useSearchState } from '../../lib/hooks/use-search-state.ts';
import { paths } from '../../lib/paths.ts';
import { useSubjectId } from '../../lib/session.ts';
import { settings } from '../../lib/settings.ts';
import { submissionCount } from '../../texts/entities.ts';
import * as texts from '../../texts/shop.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { CustomAmount } from './custom-amount.tsx';
import { PackCard } from './pack-card.tsx';
import styles from './shop.module.css';

const addressState = { batch: identifier, amount: pageStart };

export function CreditsPage() {
  const userId = useSubjectId();
  // One page per buyer: a quantity typed for one person is never added for another.
  return userId ? <Shop key={userId} userId={userId} /> : null;
}

function Shop({ userId }: { userId: string }) {
  const query = useQuery(packsQuery());
  const cart = useCart(userId);
  const [{ batch, amount }] = useSearchState(addressState);
  // Returns to the batch that ran out of submissions after payment.
  useEffect(() => {
    if (batch) batchToResume.save(userId, batch);
  }, [userId, batch]);
  return (
    <>
      <p className="muted">{texts.whatAnswersCost}</p>
      <DebtNotice userId={userId} />
      {cart.isForeign && <Notice tone="warning">{texts.foreignCart}</Notice>}
      <Loading query={query}>
        {({ credits, tax }) =>
          credits.length === 0 ? (
            <NoPacks />
          ) : (
            <Packs packs={credits} tax={tax} cart={cart} userId={userId} amount={amount} />
          )
        }
      </Loading>
    </>
  );
}

function NoPacks() {
  const { email } = settings().operator;
  return (
    <section className="card">
      <h2>{texts.noPacksTitle}</h2>
      <p>
        <RichText text={texts.noPacks} parts={{ email: <a href={`mailto:${email}`}>{email}</a> }} />
      </p>
    </section>
  );
}

interface Props {
  packs: readonly CreditPack[];
  tax: TaxIncluded;
  cart: Cart;
  userId: string;
  amount: number;
}

function Packs({ packs, tax, cart, userId, amount }: Props) {
  const taxText = formatTax(tax);
  return (
    <>
      <ul className={styles.packs}>
        {packs.map((pack) => (
          <li key={pack.id}>
            <PackCard pack={pack} userId={userId} />
          </li>
        ))}
      </ul>
      <CustomAmount packs={packs} userId={userId} wanted={amount} />
      <CartSummary cart={cart} currency={currencyOf(packs)} />
      {taxText && <p className="muted">{texts.pricesInclude(taxText)}</p>}
    </>
  );
}

function CartSummary({ cart, currency }: { cart: Cart; currency: string }) {
  const isEmpty = cart.items.length === 0 || cart.isForeign;
  return (
    <section className="card" aria-labelledby="cart-title">
      <h2 id="cart-title">{texts.yourCart}</h2>
      {isEmpty ? (
        <p>{texts.emptyCart}</p>
      ) : (
        <div className="spread">
          <p aria-live="polite">
            <RichText
              text={texts.cartHolds}
              parts={{
                submissions: submissionCount(formatNumber(cart.qty)),
                price: <strong>{formatMoney(cart.total, currency)}</strong>,
              }}
            />
          </p>
          <ButtonLink to={paths.checkout}>{texts.toCheckout}</ButtonLink>
        </div>
      )}
    </section>
  );
}

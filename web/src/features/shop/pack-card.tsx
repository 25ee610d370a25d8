import { type CreditPack, maximumQuantity } from '@rowmill/contract';
import { type FormEvent, useState } from 'react';
import { addToCart } from '../../entities/cart/cart.ts';
import { packContents } from '../../entities/cart/packs.ts';
import { formatNumber } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/shop.ts';
import { Button } from '../../ui/button.tsx';
import { QuantityField } from '../../ui/form/quantity-field.tsx';
import styles from './shop.module.css';

const compared = 100;

export function PackCard({ pack, userId }: { pack: CreditPack; userId: string }) {
  const [quantity, setQuantity] = useState(1);
  function add(event: FormEvent): void {
    event.preventDefault();
    addToCart(userId, [{ pack, quantity }]);
    showToast('success', texts.packsAdded({ quantity: formatNumber(quantity), pack: pack.name }));
    setQuantity(1);
  }
  return (
    <section className={`card ${styles.pack}`} aria-label={pack.name}>
      <h2>{pack.name}</h2>
      <div className="spread">
        <p className="number">{formatMoney(pack.rate_minor, pack.currency)}</p>
        {pack.saving_percent > 0 && (
          <span className="badge">{texts.save(formatNumber(pack.saving_percent))}</span>
        )}
      </div>
      <p>
        {packContents(pack.name, pack.count)}
        <span className={styles.perRow}>
          {texts.priceOf({
            price: formatMoney(
              Math.round((pack.rate_minor * compared) / pack.count),
              pack.currency,
            ),
            submissions: compared,
          })}
        </span>
      </p>
      <form className="row" onSubmit={add} noValidate>
        <QuantityField
          label={texts.quantityOf(pack.name)}
          value={quantity}
          maximum={maximumQuantity}
          onChange={setQuantity}
        />
        <Button type="submit" variant="secondary" aria-label={texts.addPack(pack.name)}>
          {texts.addToCart}
        </Button>
      </form>
    </section>
  );
}

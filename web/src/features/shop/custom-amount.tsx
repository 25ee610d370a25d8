import { type CreditPack, maximumQuantity, totalsOf } from '@rowmill/contract';
import { type FormEvent, useState } from 'react';
import { addToCart } from '../../entities/cart/cart.ts';
import { currencyOf } from '../../entities/cart/packs.ts';
import { type Choice, packsFor } from '../../entities/cart/packs-for.ts';
import { formatNumber } from '../../lib/format.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { showToast } from '../../lib/toasts.ts';
import { parseWholeNumber } from '../../lib/typed-numbers.ts';
import { submissionCount } from '../../texts/entities.ts';
import * as texts from '../../texts/shop.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/form/text-field.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import styles from './shop.module.css';

interface Props {
  packs: readonly CreditPack[];
  userId: string;
  /** What is missing for a batch, or 0. */
  wanted: number;
}

/** Composes any amount from packs, visibly. */
export function CustomAmount({ packs, userId, wanted }: Props) {
  const [text, setText] = useState(wanted > 0 ? String(wanted) : '');
  const [problem, setProblem] = useState<string>();
  const most = Math.max(...packs.map(({ count }) => count)) * maximumQuantity;
  const amount = parseWholeNumber(text);
  const isUsable = Number.isInteger(amount) && amount >= 1 && amount <= most;
  const choices = isUsable ? packsFor(amount, packs) : [];
  function add(event: FormEvent): void {
    event.preventDefault();
    if (!isUsable) {
      setProblem(texts.notInRange(formatNumber(most)));
      return;
    }
    addToCart(userId, choices);
    showToast('success', texts.submissionsAdded(formatNumber(totalOf(choices).qty)));
    setText('');
  }
  return (
    <section className="card" aria-labelledby="amount-title">
      <h2 id="amount-title">{texts.anotherAmount}</h2>
      <form className="stack" onSubmit={add} noValidate>
        <div className={styles.amount}>
          <NumberField
            label={texts.submissionsNeeded}
            name="amount"
            maxLength={15}
            value={text}
            problem={problem}
            hint={texts.madeOfPacks}
            onChange={({ target }) => {
              setText(target.value);
              setProblem(undefined);
            }}
          />
          <Button type="submit" variant="secondary">
            {texts.addToCart}
          </Button>
        </div>
        <div aria-live="polite" className={styles.composition}>
          {choices.length > 0 && <Composition choices={choices} amount={amount} />}
        </div>
      </form>
    </section>
  );
}

function Composition({ choices, amount }: { choices: readonly Choice[]; amount: number }) {
  const { qty, total } = totalOf(choices);
  const currency = currencyOf(choices.map(({ pack }) => pack));
  return (
    <p>
      <RichText
        text={texts.composition}
        parts={{
          packs: choices
            .map(({ pack, quantity }) => `${formatNumber(quantity)} × ${pack.name}`)
            .join(', '),
          submissions: submissionCount(formatNumber(qty)),
          price: <strong>{formatMoney(total, currency)}</strong>,
          more: qty > amount && (
            <span className="muted">{texts.moreThanAsked(formatNumber(qty - amount))}</span>
          ),
        }}
      />
    </p>
  );
}

function totalOf(choices: readonly Choice[]): { qty: number; total: number } {
  return totalsOf(
    choices.map(({ pack, quantity }) => ({ quantity, count: pack.count, rate: pack.rate_minor })),
  );
}

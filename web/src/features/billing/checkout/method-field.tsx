import { useId } from 'react';
import * as texts from '../../../texts/billing.ts';
import styles from './method-field.module.css';
import type { PaymentOption } from './payment-methods.ts';

/** A payment method; unavailable ones stay visible with the reason. */
export function MethodField({ methods }: { methods: readonly PaymentOption[] }) {
  const first = methods.find(({ missing }) => missing === null);
  return (
    <fieldset className={styles.methods}>
      <legend>{texts.howToPay}</legend>
      {methods.map((method) => (
        <Method key={method.id} method={method} isFirst={method === first} />
      ))}
    </fieldset>
  );
}

function Method({
  method: { id: name, label, hint, missing },
  isFirst,
}: {
  method: PaymentOption;
  isFirst: boolean;
}) {
  const id = useId();
  return (
    <div className={styles.method}>
      <input
        id={id}
        type="radio"
        name="method"
        value={name}
        defaultChecked={isFirst}
        disabled={missing !== null}
        aria-describedby={`${id}-hint`}
      />
      <label htmlFor={id}>{label}</label>
      <span id={`${id}-hint`} className="muted">
        {missing ?? hint}
      </span>
    </div>
  );
}

import { Minus, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { parseWholeNumber } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';
import styles from './quantity-field.module.css';

interface Props {
  /** What is counted, for screen readers. */
  label: string;
  value: number;
  maximum: number;
  onChange: (value: number) => void;
}

/** A whole number of at least one, typed or stepped. An empty field keeps the last number. */
export function QuantityField({ label, value, maximum, onChange }: Props) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  function type(text: string): void {
    setDraft(text);
    const number = parseWholeNumber(text);
    if (number >= 1 && number <= maximum) onChange(number);
  }
  return (
    <span className={styles.quantity}>
      <Button
        variant="secondary"
        aria-label={texts.oneLess(label)}
        aria-disabled={value <= 1}
        onClick={() => onChange(value - 1)}
      >
        <Minus aria-hidden size={18} />
      </Button>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={1}
        max={maximum}
        step={1}
        value={draft ?? value}
        onChange={({ target }) => type(target.value)}
        onBlur={() => setDraft(null)}
        onKeyDown={({ key }) => key === 'Enter' && setDraft(null)}
      />
      <Button
        variant="secondary"
        aria-label={texts.oneMore(label)}
        aria-disabled={value >= maximum}
        onClick={() => onChange(value + 1)}
      >
        <Plus aria-hidden size={18} />
      </Button>
    </span>
  );
}

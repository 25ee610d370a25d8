import { Minus, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { parseWholeNumber } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';
import { FieldNote } from './field.tsx';
import styles from './quantity-field.module.css';

interface Props {
  /** What is counted, for screen readers. */
  label: string;
  value: number;
  maximum: number;
  onChange: (value: number) => void;
}

/**
 * A whole number of at least one, typed or stepped. An empty field keeps the last number. A larger
 * one than the maximum counts as that, which is said.
 */
export function QuantityField({ label, value, maximum, onChange }: Props) {
  const id = useId();
  const noteId = `${id}-note`;
  const [draft, setDraft] = useState<string | null>(null);
  function type(text: string): void {
    setDraft(text);
    const number = parseWholeNumber(text);
    if (number >= 1) onChange(Math.min(number, maximum));
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
        aria-describedby={noteId}
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
      <FieldNote
        id={noteId}
        role="status"
        hint={value >= maximum ? texts.atMost(formatNumber(maximum)) : undefined}
      />
    </span>
  );
}

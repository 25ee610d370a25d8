import { Minus, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';

interface Props {
  /** What is counted, for who does not see what stands beside it. */
  label: string;
  value: number;
  most: number;
  onChange: (value: number) => void;
}

/** A whole number of at least one, typed or stepped. While the field is empty the last number stands. */
export function QuantityField({ label, value, most, onChange }: Props) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  function type(text: string): void {
    setDraft(text);
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1 && number <= most) onChange(number);
  }
  return (
    <span className="shop-quantity">
      <Button
        variant="secondary"
        aria-label={texts.oneLess(label)}
        disabled={value <= 1}
        onClick={() => onChange(value - 1)}
      >
        <Minus aria-hidden size={18} />
      </Button>
      <span className="field">
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <input
          id={id}
          type="number"
          inputMode="numeric"
          min={1}
          max={most}
          step={1}
          value={draft ?? value}
          onChange={({ target }) => type(target.value)}
          onBlur={() => setDraft(null)}
        />
      </span>
      <Button
        variant="secondary"
        aria-label={texts.oneMore(label)}
        disabled={value >= most}
        onClick={() => onChange(value + 1)}
      >
        <Plus aria-hidden size={18} />
      </Button>
    </span>
  );
}

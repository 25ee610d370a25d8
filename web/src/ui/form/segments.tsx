import { type ReactNode, useId } from 'react';
import { useCurrentInSight } from '../../lib/hooks/use-current-in-sight.ts';
import styles from './segments.module.css';

interface Props<Value extends string> {
  label: string;
  choices: Readonly<Record<Value, ReactNode>>;
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** One choice of a few, side by side. */
export function Segments<Value extends string>({ label, choices, chosen, onChoose }: Props<Value>) {
  const name = useId();
  const bar = useCurrentInSight<HTMLDivElement>(chosen);
  return (
    <div ref={bar} className={`scrolls ${styles.segments}`} role="radiogroup" aria-label={label}>
      {(Object.entries(choices) as [Value, ReactNode][]).map(([value, shown]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          {shown}
        </label>
      ))}
    </div>
  );
}

import { type SelectHTMLAttributes, useId } from 'react';

interface Props extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  choices: readonly (readonly [value: string, words: string])[];
  problem?: string | undefined;
  hint?: string | undefined;
}

/** One of a few, whose problem stands beside it. */
export function ChoiceField({ label, choices, problem, hint, ...props }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select {...props} id={id} aria-invalid={!!problem} aria-describedby={`${id}-note`}>
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <span id={`${id}-note`} className={problem ? 'problem' : 'hint'}>
        {problem ?? hint}
      </span>
    </div>
  );
}

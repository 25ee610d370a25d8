import type { ComponentProps, SelectHTMLAttributes } from 'react';
import { Field } from './field.tsx';

interface Props extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  choices: readonly (readonly [value: string, label: string])[];
  problem?: string | undefined;
  hint?: string | undefined;
  noteRole?: ComponentProps<typeof Field>['role'];
}

/** One of a few choices. */
export function ChoiceField({ label, choices, problem, hint, noteRole, ...props }: Props) {
  return (
    <Field label={label} name={props.name} problem={problem} hint={hint} role={noteRole}>
      {(control) => (
        <select {...props} {...control}>
          {choices.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

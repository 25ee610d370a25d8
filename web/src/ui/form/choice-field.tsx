import type { ComponentProps, SelectHTMLAttributes } from 'react';
import { Field } from './field.tsx';

interface Props extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  hasHiddenLabel?: boolean;
  choices: readonly (readonly [value: string, label: string])[];
  problem?: string;
  hint?: string;
  noteRole?: ComponentProps<typeof Field>['role'];
}

export function ChoiceField({ choices, problem, hint, noteRole, ...rest }: Props) {
  const { label, hasHiddenLabel, ...props } = rest;
  const field = { label, hasHiddenLabel, name: props.name, problem, hint, role: noteRole };
  return (
    <Field {...field}>
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

import type { Ref, TextareaHTMLAttributes } from 'react';
import { Field } from './field.tsx';

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string;
  name: string;
  problem?: string;
  hint?: string;
  ref?: Ref<HTMLTextAreaElement>;
}

export function TextArea({ label, problem, hint, ...props }: Props) {
  return (
    <Field label={label} name={props.name} problem={problem} hint={hint}>
      {(control) => <textarea rows={4} {...props} {...control} />}
    </Field>
  );
}

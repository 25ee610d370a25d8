import type { ReactNode } from 'react';
import type { useForm } from '../../lib/hooks/use-form.ts';
import * as texts from '../../texts/operators.ts';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/form/text-field.tsx';

interface Props {
  form: ReturnType<typeof useForm>;
  /** What is changed, which comes before the reason. */
  fields?: ReactNode;
  hasChoice?: boolean;
  children: ReactNode;
}

/** A form that asks for a reason, which is stored and visible to the person. */
export function ReasonForm({ form, fields, hasChoice, children }: Props) {
  return (
    <Form form={form} hasChoice={hasChoice}>
      {fields}
      <TextField label={texts.reason} name="reason" maxLength={200} hint={texts.reasonHint} />
      {children}
    </Form>
  );
}

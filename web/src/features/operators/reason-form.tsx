import type { ReactNode } from 'react';
import type { useForm } from '../../lib/hooks/use-form.ts';
import * as texts from '../../texts/operators.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';

interface Props {
  form: ReturnType<typeof useForm>;
  children: ReactNode;
}

/** A form that asks for a reason, which is stored and visible to the person. */
export function ReasonForm({ form: { onSubmit, problems, error }, children }: Props) {
  return (
    <form className="stack" onSubmit={onSubmit} noValidate>
      {error && <Notice tone="error">{error}</Notice>}
      <TextField
        label={texts.reason}
        name="reason"
        autoComplete="off"
        maxLength={200}
        problem={problems.reason}
        hint={texts.reasonHint}
      />
      {children}
    </form>
  );
}

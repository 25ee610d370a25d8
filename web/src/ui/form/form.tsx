import type { ComponentProps, FormEvent, ReactNode } from 'react';
import { Notice } from '../notice.tsx';
import { FormContext } from './form-context.ts';

/** What `useForm` returns. */
interface FormState {
  onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
  onInput: (event: FormEvent<HTMLFormElement>) => void;
  problems: Record<string, string>;
  error: string | null;
  busy: boolean;
}

interface Props
  extends Omit<ComponentProps<'form'>, 'form' | 'onSubmit' | 'onInput' | 'noValidate'> {
  form: FormState;
  /** Follows the error, such as a link to the remedy. */
  remedy?: ReactNode;
}

/** A form whose error is shown above its fields. */
export function Form({ form, remedy, children, ...props }: Props) {
  return (
    <FormContext value={form}>
      <form className="stack" {...props} onSubmit={form.onSubmit} onInput={form.onInput} noValidate>
        {form.error && (
          <Notice tone="error">
            {form.error} {remedy}
          </Notice>
        )}
        {children}
      </form>
    </FormContext>
  );
}

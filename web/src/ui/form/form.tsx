import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import type { useForm } from '../../lib/hooks/use-form.ts';
import { scrollIntoView } from '../../lib/scroll-into-view.ts';
import { Notice } from '../notice.tsx';
import { FormContext } from './form-context.ts';

interface Props
  extends Omit<ComponentProps<'form'>, 'form' | 'onSubmit' | 'onInput' | 'noValidate'> {
  form: ReturnType<typeof useForm>;
  /** Follows the error, such as a link to the remedy. */
  remedy?: ReactNode;
  /** Several buttons send it, so Enter in a field must not press the first one. */
  hasChoice?: boolean;
}

export const changedForm = 'form[data-changed]';

/** A form whose error is shown above its fields, also when a long one was sent from its end. */
export function Form({ form, remedy, hasChoice, children, ...props }: Props) {
  return (
    <FormContext value={form}>
      <form
        className="stack"
        {...props}
        data-changed={form.isChanged || undefined}
        onSubmit={form.onSubmit}
        onInput={form.onInput}
        onKeyDown={hasChoice ? ignoreEnterInField : undefined}
        noValidate
      >
        {form.error && (
          <div ref={scrollIntoView}>
            <Notice tone="error" isStatic>
              {form.error} {remedy}
            </Notice>
          </div>
        )}
        {children}
      </form>
    </FormContext>
  );
}

function ignoreEnterInField(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

import { type Ref, type TextareaHTMLAttributes, useId } from 'react';

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string;
  name: string;
  problem?: string | undefined;
  hint?: string | undefined;
  ref?: Ref<HTMLTextAreaElement>;
}

/** A labelled text of several lines whose problem stands beside it and is read out with it. */
export function TextArea({ label, problem, hint, ...props }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        rows={4}
        {...props}
        id={id}
        aria-invalid={!!problem}
        aria-describedby={`${id}-note`}
      />
      <span id={`${id}-note`} className={problem ? 'problem' : 'hint'}>
        {problem ?? hint}
      </span>
    </div>
  );
}

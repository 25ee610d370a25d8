import { type ReactNode, useContext, useId } from 'react';
import styles from './field.module.css';
import { FormContext } from './form-context.ts';

interface NoteProps {
  id?: string;
  problem?: string;
  hint?: string;
  /** For a note that changes while the person is elsewhere. */
  role?: 'status' | 'alert';
}

interface FieldProps extends Omit<NoteProps, 'id'> {
  label: string;
  /** Its label is only read out. */
  hasHiddenLabel?: boolean;
  /** Finds the field's problem in the form around it. */
  name?: string;
  /** Gets the attributes that connect the control with its label and note. */
  children: (control: {
    id: string;
    'aria-invalid': boolean;
    'aria-describedby': string;
  }) => ReactNode;
}

/** A labelled control. Its problem or hint is below and is read out with it. */
export function Field({ label, hasHiddenLabel, name, hint, role, ...field }: FieldProps) {
  const id = useId();
  const form = useContext(FormContext);
  const problem = field.problem ?? (name === undefined ? undefined : form.problems[name]);
  const note = `${id}-note`;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hasHiddenLabel ? 'sr-only' : undefined}>
        {label}
      </label>
      {field.children({ id, 'aria-invalid': !!problem, 'aria-describedby': note })}
      <FieldNote id={note} problem={problem} hint={hint} role={role} />
    </div>
  );
}

export function FieldNote({ id, problem, hint, role }: NoteProps) {
  return (
    <span id={id} className={problem ? styles.problem : styles.hint} role={role}>
      {problem ?? hint}
    </span>
  );
}

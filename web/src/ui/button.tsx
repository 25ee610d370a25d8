import { type ComponentProps, useContext } from 'react';
import { Link, type LinkProps } from 'react-router';
import styles from './button.module.css';
import { FormContext } from './form/form-context.ts';

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger';

interface Props extends ComponentProps<'button'> {
  variant?: Variant;
  busy?: boolean;
}

/** A busy button keeps its place and label, and cannot be pressed twice. A submit button is busy while its form is sent. */
export function Button({ variant = 'primary', busy, disabled, type = 'button', ...props }: Props) {
  const form = useContext(FormContext);
  const isBusy = busy ?? (type === 'submit' && form.busy);
  return (
    <button
      {...props}
      type={type}
      className={buttonClass(variant)}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
    />
  );
}

/** A link that looks like a button. */
export function ButtonLink({ variant = 'primary', ...props }: LinkProps & { variant?: Variant }) {
  return <Link {...props} className={buttonClass(variant)} />;
}

/** For other elements that look like a button, such as the label of a radio button. */
export function buttonClass(variant: Variant): string {
  return `${styles.button} ${styles[variant]}`;
}

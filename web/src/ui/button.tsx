import type { ComponentProps } from 'react';
import { Link, type LinkProps } from 'react-router';
import styles from './button.module.css';

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger';

interface Props extends ComponentProps<'button'> {
  variant?: Variant;
  busy?: boolean;
}

/** A busy button keeps its place and label, and cannot be pressed twice. */
export function Button({
  variant = 'primary',
  busy = false,
  disabled,
  type = 'button',
  ...props
}: Props) {
  return (
    <button
      {...props}
      type={type}
      className={buttonClass(variant)}
      disabled={disabled || busy}
      aria-busy={busy}
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

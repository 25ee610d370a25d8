import type { ButtonHTMLAttributes } from 'react';

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant;
  busy?: boolean;
}

/** Busy buttons keep their place and their words, and cannot be pressed twice. */
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
      className={`button ${variant}`}
      disabled={disabled || busy}
      aria-busy={busy}
    />
  );
}

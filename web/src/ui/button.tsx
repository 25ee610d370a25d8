import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, type MouseEvent, useContext } from 'react';
import { Link, type LinkProps } from 'react-router';
import styles from './button.module.css';
import { FormContext } from './form/form-context.ts';

export type Variant = 'primary' | 'secondary' | 'ghost' | 'danger';

interface Props extends ComponentProps<'button'> {
  variant?: Variant;
  busy?: boolean;
}

/**
 * A busy button keeps its place, its label and the focus, and cannot be pressed twice. A submit
 * button is busy while its form is sent. With `aria-disabled` too it keeps the focus.
 */
export function Button({ variant = 'primary', busy, type = 'button', onClick, ...props }: Props) {
  const form = useContext(FormContext);
  const isBusy = busy ?? (type === 'submit' && form.busy);
  const isOff = isBusy || props['aria-disabled'];
  return (
    <button
      {...props}
      type={type}
      className={buttonClass(variant)}
      // The browser takes the focus from a disabled button.
      aria-disabled={isOff}
      aria-busy={isBusy}
      onClick={(event) => {
        // Nor does it send the form.
        if (isOff || (type === 'submit' && isRepeated(event))) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

/**
 * The second click of a double click. It would send a form again with fields already cleared, undo
 * the first one, or press the button of the next entry.
 */
export const isRepeated = ({ detail }: MouseEvent) => detail > 1;

/** A link that looks like a button. */
export function ButtonLink({ variant = 'primary', ...props }: LinkProps & { variant?: Variant }) {
  return <Link {...props} className={buttonClass(variant)} />;
}

interface IconProps {
  label: string;
  icon: LucideIcon;
  isDisabled?: boolean;
  onPress: (event: MouseEvent) => void;
}

/** A button that shows only an icon; its label is read out and shown as a tooltip. */
export function IconButton({ label, icon: Icon, isDisabled, onPress }: IconProps) {
  return (
    <span className={styles.icon}>
      <button
        type="button"
        className={buttonClass('ghost')}
        title={label}
        aria-label={label}
        // The focus stays on a button that becomes unavailable.
        aria-disabled={isDisabled || undefined}
        onClick={isDisabled ? undefined : onPress}
      >
        <Icon aria-hidden size={18} />
      </button>
    </span>
  );
}

/** For other elements that look like a button, such as the label of a radio button. */
export function buttonClass(variant: Variant): string {
  return `${styles.button} ${styles[variant]}`;
}

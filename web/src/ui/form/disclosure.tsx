import { type ReactNode, useState } from 'react';
import styles from './disclosure.module.css';

interface Props {
  title: string;
  /** Opens it from outside, for example to show a problem inside. */
  forceOpen?: boolean;
  children: ReactNode;
}

/** A section that is closed until its title is pressed. What opened it from outside may end while a person types in it. */
export function Disclosure({ title, forceOpen = false, children }: Props) {
  const [isOpen, setOpen] = useState(forceOpen);
  return (
    <details
      className={styles.disclosure}
      open={isOpen || forceOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}

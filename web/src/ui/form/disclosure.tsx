import { type ReactNode, useState } from 'react';
import styles from './disclosure.module.css';

interface Props {
  title: string;
  startsOpen?: boolean;
  /** Opens it from outside, for example to show a problem inside. */
  forceOpen?: boolean;
  children: ReactNode;
}

/** A section that opens and closes with its title. It stays open while a person types in it. */
export function Disclosure({ title, startsOpen = false, forceOpen = false, children }: Props) {
  const [isOpen, setOpen] = useState(startsOpen || forceOpen);
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

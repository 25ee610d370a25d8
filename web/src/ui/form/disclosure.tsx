import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './disclosure.module.css';

interface Props {
  title: string;
  startsOpen?: boolean;
  /** Opens it from outside, for example to show a problem inside. */
  forceOpen?: boolean;
  /** It lies over what follows, so a press elsewhere or Escape closes it. */
  floats?: boolean;
  children: ReactNode;
}

/** A section that opens and closes with its title. It stays open while a person types in it. */
export function Disclosure(props: Props) {
  const { title, startsOpen = false, forceOpen = false, floats = false, children } = props;
  const [isOpen, setOpen] = useState(startsOpen || forceOpen);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!floats || !isOpen) return;
    const removal = new AbortController();
    const { signal } = removal;
    const close = () => setOpen(false);
    const isInside = ({ target }: Event) => details.current?.contains(target as Node);
    document.addEventListener('pointerdown', (event) => isInside(event) || close(), { signal });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal });
    return () => removal.abort();
  }, [floats, isOpen]);
  return (
    <details
      ref={details}
      className={styles.disclosure}
      open={isOpen || forceOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}

import { type ReactNode, useEffect, useId, useRef } from 'react';

interface Props {
  title: ReactNode;
  children: ReactNode;
}

/** One checkout step. Steps replace each other, so a lost focus moves here. */
export function StepSection({ title, children }: Props) {
  const ref = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus();
  }, []);
  return (
    <section ref={ref} className="card" tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

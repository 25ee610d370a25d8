import { type ReactNode, type Ref, useId } from 'react';

interface Props {
  title: string;
  /** Its content says what it is; the title is only read out. */
  hasHiddenTitle?: boolean;
  headingRef?: Ref<HTMLHeadingElement>;
  className?: string;
  children: ReactNode;
}

export function Step({ title, hasHiddenTitle, headingRef, className = 'stack', children }: Props) {
  const id = useId();
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id} ref={headingRef} tabIndex={-1} className={hasHiddenTitle ? 'sr-only' : undefined}>
        {title}
      </h2>
      {children}
    </section>
  );
}

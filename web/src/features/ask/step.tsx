import { type ReactNode, type Ref, useId } from 'react';

interface Props {
  number: number;
  title: string;
  /** What keeps the step closed, or null. */
  waitsFor?: string | null;
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** One numbered card. A closed step stays in sight and says what it waits for. */
export function Step({ number, title, waitsFor = null, headingRef, children }: Props) {
  const id = useId();
  return (
    <section
      className={waitsFor ? 'card ask-step ask-closed' : 'card ask-step'}
      aria-labelledby={id}
    >
      <h2 id={id} ref={headingRef} tabIndex={-1}>
        <span className="ask-number">{number}</span> {title}
      </h2>
      {waitsFor ? <p className="soft">{waitsFor}</p> : children}
    </section>
  );
}

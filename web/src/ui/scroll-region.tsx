import type { ReactNode } from 'react';

interface Props {
  label: string;
  className: string | undefined;
  children: ReactNode;
}

/** A scrollable region that can be focused, so the keyboard can scroll it. */
export function ScrollRegion({ label, className, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the keyboard
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

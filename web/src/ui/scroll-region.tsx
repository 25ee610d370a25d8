import type { ReactNode } from 'react';

interface Props {
  label: string;
  className: string;
  children: ReactNode;
}

/** Content that may be larger than its place, within reach of the keyboard. */
export function ScrollRegion({ label, className, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

import type { ReactNode } from 'react';

/** One number that a person looks for first, with what it means. */
export function FigureCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card figure">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

import type { ReactNode } from 'react';
import styles from './dashboard.module.css';

export function FigureCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`card ${styles.figure}`}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Figure({ value, note }: { value: string; note: string }) {
  return (
    <>
      <p className={`number ${styles.value}`}>{value}</p>
      <p className={`muted ${styles.note}`}>{note}</p>
    </>
  );
}

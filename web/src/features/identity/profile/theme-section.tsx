import * as texts from '../../../texts/identity.ts';
import { ThemeChoice } from '../theme-choice.tsx';

export function ThemeSection() {
  return (
    <section className="card">
      <h2>{texts.appearance}</h2>
      <ThemeChoice />
    </section>
  );
}

import { useState } from 'react';
import { chooseTheme, readTheme, type Theme } from '../../../lib/theme.ts';
import * as texts from '../../../texts/identity.ts';
import { buttonClass } from '../../../ui/button.tsx';

const choices = texts.themes satisfies Record<Theme, string>;

export function ThemeSection() {
  const [theme, setTheme] = useState(readTheme);
  function choose(next: Theme) {
    chooseTheme(next);
    setTheme(next);
  }
  return (
    <section className="card">
      <h2>{texts.appearance}</h2>
      <div className="row" role="radiogroup" aria-label={texts.theme}>
        {Object.entries(choices).map(([value, label]) => (
          <label key={value} className={buttonClass('secondary')}>
            <input
              type="radio"
              name="theme"
              checked={theme === value}
              onChange={() => choose(value as Theme)}
            />
            {label}
          </label>
        ))}
      </div>
    </section>
  );
}

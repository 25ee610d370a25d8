import { useState } from 'react';
import { chooseTheme, readTheme, type Theme } from '../../lib/theme.ts';
import * as texts from '../../texts/identity.ts';
import { Segments } from '../../ui/form/segments.tsx';

const choices = texts.themes satisfies Record<Theme, string>;

export function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme);
  function choose(next: Theme) {
    chooseTheme(next);
    setTheme(next);
  }
  return <Segments label={texts.theme} choices={choices} chosen={theme} onChoose={choose} />;
}

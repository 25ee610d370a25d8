/** Stored in a cookie, because local storage is cleared at every sign-in and sign-out. */
export type Theme = 'system' | 'light' | 'dark';

const year = 31_536_000;

export function readTheme(): Theme {
  const [, theme] = /(?:^|; )theme=(light|dark)/.exec(document.cookie) ?? [];
  return (theme as Theme | undefined) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  const age = theme === 'system' ? 0 : year;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

import { areAlike, commonWords, ownLetters, ownScripts, promptWords } from './language-words.ts';

/** As much of a text is looked at: more does not make the result surer. */
const readCharacters = 600;
const fewestHits = 3;
const ownLetterHits = 2;
/** The next language has at most this share of the hits. */
const runnerUp = 0.7;
/** Text with fewer common words is names, code or a list. */
const fewestShare = 0.12;

const languagesOf = indexWords();

function indexWords(): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const [language, words] of Object.entries(commonWords))
    for (const word of new Set(`${words} ${promptWords[language] ?? ''}`.split(' '))) {
      const known = index.get(word);
      if (known) known.push(language);
      else index.set(word, [language]);
    }
  return index;
}

/** What is not language: code, addresses, tags. */
const noise = /```[^`]{0,2000}```|https?:\/\/\S{1,200}|\S{1,80}@\S{1,80}|<[^<>]{1,100}>/g;

/** The language of a text, by its script or its commonest words; null when that is not sure. */
export function detectLanguage(text: string): string | null {
  const read = text.slice(0, readCharacters).replace(noise, ' ').toLowerCase();
  return byScript(read) ?? byWords(read);
}

function byScript(text: string): string | null {
  const latin = /^[\p{ASCII}\u00a0-\u024f]*$/u;
  if (latin.test(text)) return null;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [script, language] of ownScripts) {
    const found = text.match(script)?.length ?? 0;
    // Japanese is half Chinese signs.
    const share = language === 'ja' ? 0.15 : 0.6;
    if (found >= 2 && found >= letters * share) return language;
  }
  return null;
}

function byWords(text: string): string | null {
  const hits = new Map<string, number>();
  const add = (language: string, amount: number) =>
    hits.set(language, (hits.get(language) ?? 0) + amount);
  let words = 0;
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    words++;
    for (const language of languagesOf.get(word) ?? []) add(language, 1);
  }
  for (const [letters, language] of ownLetters)
    if (letters.test(text)) add(language, ownLetterHits);
  const [best, ...others] = [...hits].sort(([, one], [, other]) => other - one);
  if (!best || best[1] < Math.max(fewestHits, words * fewestShare)) return null;
  const next = others.find(([language]) => !areAlike(language, best[0]));
  return next && next[1] > best[1] * runnerUp ? null : best[0];
}

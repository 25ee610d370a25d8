import { areAlike, commonWords, ownLetters, promptWords, scripts } from './language-words.ts';
import { LanguagesOfWords, readWords, type Words } from './words.ts';

const fewestHits = 3;
const ownLetterHits = 2;
/** The next language has at most this share of the hits. */
const runnerUp = 0.7;
/** Text with fewer common words is names, code or a list. */
const fewestShare = 0.12;

const languages = [
  ...new Set([...Object.keys(commonWords), ...ownLetters.map(([, language]) => language)]),
];
const languagesOf = indexWords();
const ownLanguages = ownLetters.map(([, language]) => languages.indexOf(language));

function indexWords(): LanguagesOfWords {
  const index = new LanguagesOfWords();
  for (const [language, words] of Object.entries(commonWords))
    for (const word of new Set(`${words} ${promptWords[language] ?? ''}`.split(' ')))
      index.add(word, languages.indexOf(language));
  return index;
}

/** What is not language: code, addresses, tags. */
const noise = /```[^`]{0,2000}```|https?:\/\/\S{1,200}|(?<!\S)\S{1,80}@\S{1,80}|<[^<>]{1,100}>/g;
const hasNoise = /[`@<]|:\/\//;
const readCharacters = 600;

/** The language of a text, by its script or its commonest words; null when that is not sure. */
export function detectLanguage(text: string, words?: Words): string | null {
  const start = text.slice(0, readCharacters);
  const withoutNoise = hasNoise.test(start) ? readWords(start.replace(noise, ' ')) : words;
  const read = withoutNoise ?? readWords(start);
  return byScript(read.letters) ?? byWords(read);
}

const latin = scripts.findIndex(([name]) => name === 'latin');
const firstOwnScript = scripts.findIndex(([name]) => name === 'ja');

function byScript(letters: Uint16Array): string | null {
  let all = 0;
  for (let place = 0; place < letters.length; place++) all += letters[place] as number;
  if (letters[latin] === all) return null;
  for (let place = firstOwnScript; place < scripts.length; place++) {
    const [language] = scripts[place] ?? ['none'];
    const found = letters[place] as number;
    // Japanese is half Chinese signs.
    const share = language === 'ja' ? 0.15 : 0.6;
    if (found >= 2 && found >= all * share) return language;
  }
  return null;
}

/** Hits by language in the current text. Reused: a new list takes longer than counting. */
const hits = new Uint16Array(languages.length);

function add(place: number, amount: number): void {
  hits[place] = (hits[place] as number) + amount;
}

function byWords({ hashes, count, own }: Words): string | null {
  hits.fill(0);
  for (const hash of hashes) {
    const places = languagesOf.get(hash);
    if (places) for (const place of places) add(place, 1);
  }
  for (let bit = 0; own >>> bit !== 0; bit++)
    if ((own >>> bit) & 1) add(ownLanguages[bit] as number, ownLetterHits);
  let best = 0;
  for (let place = 1; place < hits.length; place++)
    if ((hits[place] as number) > (hits[best] as number)) best = place;
  const most = hits[best] as number;
  if (most < Math.max(fewestHits, count * fewestShare)) return null;
  const language = languages[best] as string;
  for (let place = 0; place < hits.length; place++)
    if (
      (hits[place] as number) > most * runnerUp &&
      !areAlike(languages[place] as string, language)
    )
      return null;
  return language;
}

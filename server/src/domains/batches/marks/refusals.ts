import { scripts } from './language-words.ts';
import { neededWords, refusals } from './refusal-expressions.ts';
import { LanguagesOfWords, type Words } from './words.ts';

/** Refusals come first; what follows them may be long. */
const readCharacters = 300;
/** These characters have at most this many words. */
const wordsTried = 80;

const languages = Object.keys(neededWords);
/** Which languages’ expressions are worth a try, by the words of an answer. */
const languagesOf = new LanguagesOfWords();
for (const [place, words] of Object.values(neededWords).entries())
  for (const word of words.split(' ')) languagesOf.add(word, place);

const closeTo: Readonly<Record<string, readonly string[]>> = {
  da: ['da', 'no'],
  no: ['no', 'da'],
  sk: ['sk', 'cs'],
  ca: ['es'],
};
const withoutWords = Object.keys(refusals).filter((language) => !neededWords[language]);
const placesOfScripts = withoutWords.map((language) =>
  scripts.findIndex(([name]) => name === language),
);

/** Whether an answer refuses in words. The language is that of the answer, if it is known. */
export function isRefusal(answer: string, language: string | null, words: Words): boolean {
  const tried = languagesToTry(language, words);
  if (tried.size === 0) return false;
  const start = plain(answer.slice(0, readCharacters));
  for (const one of tried)
    for (const expression of refusals[one] ?? []) if (expression.test(start)) return true;
  return false;
}

/** Models often refuse in English. A short refusal may not show its language. */
function languagesToTry(language: string | null, { hashes, letters }: Words): Set<string> {
  const own = language === null ? null : (closeTo[language] ?? [language]);
  const tried = new Set<string>();
  for (let at = 0; at < hashes.length && at < wordsTried; at++) {
    const places = languagesOf.get(hashes[at] as number);
    if (!places) continue;
    for (const place of places) {
      const one = languages[place] as string;
      if (own === null || one === 'en' || own.includes(one)) tried.add(one);
    }
  }
  const hasSigns = language === null && placesOfScripts.some((place) => (letters[place] ?? 0) > 0);
  for (const one of withoutWords) if (hasSigns || language === one) tried.add(one);
  return tried;
}

const decorated = /[’‘ʼ`“”„«»\t\n\r\u00a0*_#>]| {2}|^[ "]/;

/** In lower case, with plain quotes and single spaces. */
function plain(text: string): string {
  const lower = text.toLowerCase();
  if (!decorated.test(lower)) return lower;
  return lower
    .replace(/[’‘ʼ`]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[\s*_#>]+/g, ' ')
    .replace(/^[ "]+/, '');
}

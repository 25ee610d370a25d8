import { refuse } from '../../../core/refusal.ts';

/** At least this much of a password must be something else than the person's own data. */
const ownCharacters = 5;
/** Words shorter than this turn up in good passwords by chance. */
const shortestWord = 4;

interface Judgement {
  common: readonly string[];
  personalWords: readonly string[];
}

/** Pure: what is wrong with a chosen password, in words, or null. Length is the contract's business. */
export function judgePassword(
  password: string,
  { common, personalWords }: Judgement,
): string | null {
  const plain = password.toLowerCase();
  if (isCommon(plain, common))
    return 'This is one of the most used passwords. Please choose another.';
  if (new Set(plain).size <= 2) return 'This repeats the same characters. Please choose another.';
  const rest = wordsOf(personalWords).reduce((text, word) => text.replaceAll(word, ''), plain);
  if (rest !== plain && [...rest].length < ownCharacters) {
    return 'This is made of your name, your address or the product’s name. Please choose another.';
  }
  return null;
}

const sets = new WeakMap<readonly string[], Set<string>>();

function isCommon(plain: string, common: readonly string[]): boolean {
  const known = sets.get(common) ?? new Set(common.map((word) => word.toLowerCase()));
  sets.set(common, known);
  return known.has(plain);
}

/**
 * Texts as they are, the part of an address before the @, and their single words; longest first, so that a word that
 * contains another goes as a whole.
 */
function wordsOf(texts: readonly string[]): string[] {
  const words = texts
    .map((text) => text.toLowerCase())
    .flatMap((text) => [text, ...text.split('@'), ...text.split(/[^\p{L}\p{N}]+/u)]);
  return words.filter((word) => word.length >= shortestWord).sort((a, b) => b.length - a.length);
}

/** The list of common passwords is large, so it is loaded when the first one is chosen. */
export async function refuseWeakPassword(
  password: string,
  personalWords: readonly string[],
): Promise<void> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const problem = judgePassword(password, {
    common: dictionary['passwords-common'] as readonly string[],
    personalWords,
  });
  if (problem) refuse('invalid_input', { fields: { password: problem } });
}

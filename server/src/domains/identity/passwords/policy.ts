import { refuseField } from '../../../core/refusal.ts';
import { refused } from '../../../texts/identity.ts';

const { commonPassword, repetitivePassword, personalPassword } = refused.invalid_input;
/** A password needs this many characters besides the person's own data. */
const ownCharacters = 5;
/** Shorter words appear in good passwords by chance. */
const shortestWord = 4;

interface Person {
  email: string;
  first_name: string;
  last_name: string;
}

/** The list of common passwords is large, so it is loaded when the first password is chosen. */
export async function refuseWeakPassword(
  password: string,
  { email, first_name, last_name }: Person,
  product: string,
): Promise<void> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const problem = findPasswordProblem(password, {
    common: dictionary['passwords-common'] as readonly string[],
    personal: [email, first_name, last_name, product],
  });
  if (problem) refuseField('password', problem);
}

interface PasswordWords {
  /** In lower case. */
  common: readonly string[];
  personal: readonly string[];
}

/** Why a password is too easy to guess, or null. The contract checks its length. */
export function findPasswordProblem(
  password: string,
  { common, personal }: PasswordWords,
): string | null {
  const plain = password.toLowerCase();
  if (common.includes(plain)) return commonPassword;
  if (new Set(plain).size <= 2) return repetitivePassword;
  const rest = wordsIn(personal).reduce((text, word) => text.replaceAll(word, ''), plain);
  return rest !== plain && [...rest].length < ownCharacters ? personalPassword : null;
}

/** The texts, both sides of an email address and single words; longest first for compounds. */
function wordsIn(texts: readonly string[]): string[] {
  const words = texts
    .map((text) => text.toLowerCase())
    .flatMap((text) => [text, ...text.split('@'), ...text.split(/[^\p{L}\p{N}]+/u)]);
  return words.filter((word) => word.length >= shortestWord).sort((a, b) => b.length - a.length);
}

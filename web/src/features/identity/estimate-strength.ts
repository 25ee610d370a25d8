import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

export interface Strength {
  score: 0 | 1 | 2 | 3 | 4;
  /** What would help, in words; empty when nothing is needed. */
  hint: string;
}

const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** The longest password that the contract takes; what is longer costs time and is refused anyway. */
const longest = 128;

/** Words of the person count as guesses, whole and in their parts. */
export function estimate(password: string, personal: readonly string[]): Strength {
  const { score, feedback } = judge.check(password.slice(0, longest), [...personal, ...personal.flatMap(partsOf)]);
  return { score, hint: score > 2 ? '' : `${reasons[feedback.warning ?? ''] ?? ''}Another word or two would help.` };
}

function partsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2);
}

const keys = 'Keys that lie side by side are guessed early. ';
const repeats = 'Repeats are guessed early. ';
const dates = 'Dates are guessed early. ';
const much = 'Many people use this. ';

/** By what the judge says of the weakest part. */
const reasons: Record<string, string> = {
  straightRow: keys,
  keyPattern: keys,
  simpleRepeat: repeats,
  extendedRepeat: repeats,
  sequences: 'Runs such as abc and 123 are guessed early. ',
  recentYears: dates,
  dates,
  topTen: much,
  topHundred: much,
  common: much,
  similarToCommon: 'This is close to what many people use. ',
  userInputs: 'It is made of your name, your address or the name of this site. ',
};

import { passwordLength } from '@rowmill/contract';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import * as texts from '../../../texts/identity.ts';

export type Strength = ReturnType<typeof estimate>;

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** The person's own words count as guesses, whole and in parts. The hint may be empty. */
export function estimate(password: string, personal: readonly string[]) {
  // Longer input is slow and refused anyway.
  const { score, feedback } = estimator.check(password.slice(0, passwordLength.maximum), [
    ...personal,
    ...personal.flatMap(partsOf),
  ]);
  return {
    score,
    hint:
      score > 2
        ? ''
        : [reasons[feedback.warning ?? ''], texts.anotherWord].filter(Boolean).join(' '),
  };
}

function partsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2);
}

/** Advice by the weakest pattern found. */
const reasons: Record<string, string> = {
  straightRow: texts.keysGuessed,
  keyPattern: texts.keysGuessed,
  simpleRepeat: texts.repeatsGuessed,
  extendedRepeat: texts.repeatsGuessed,
  sequences: texts.runsGuessed,
  recentYears: texts.datesGuessed,
  dates: texts.datesGuessed,
  topTen: texts.manyUseThis,
  topHundred: texts.manyUseThis,
  common: texts.manyUseThis,
  similarToCommon: texts.closeToMany,
  userInputs: texts.madeOfNames,
};

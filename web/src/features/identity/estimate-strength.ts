import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

export function estimate(password: string): 0 | 1 | 2 | 3 | 4 {
  return judge.check(password).score;
}

import { expect, it } from 'vitest';
import { textsOf } from './judgements.tsx';

it.each([
  ['an answer', [], 'one\r\ntwo\rthree\nfour', ['one\ntwo\nthree\nfour']],
  ['columns', ['A', 'B'], '{"A":"one\\r\\ntwo","B":"x"}', ['one\ntwo', 'x']],
])('%s has the line ends of a form', (_, outputs, answer, texts) => {
  expect(textsOf({ outputs }, { answer, correction: null })).toEqual(texts);
});

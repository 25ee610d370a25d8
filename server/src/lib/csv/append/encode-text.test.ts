import { expect, it } from 'vitest';
import { encoderFor } from './encode-text.ts';

it.each([
  {
    name: 'a letter and its accent',
    encoding: 'windows-1252',
    text: 'cafe\u0301',
    composed: 'café',
  },
  {
    name: 'the parts of a syllable',
    encoding: 'euc-kr',
    text: '\u1112\u1161\u11ab',
    composed: '한',
  },
  {
    name: 'many letters in turn',
    encoding: 'windows-1252',
    text: 'e\u0301u\u0308',
    composed: 'éü',
  },
])('composes $name', ({ encoding, text, composed }) => {
  const encode = encoderFor(encoding);
  expect(encode?.(text)).toEqual(encode?.(composed));
  expect(encode?.(text).replaced).toBe(0);
});

it('looks at the first 30 marks of a letter', () => {
  const encode = (marks: number) =>
    encoderFor('windows-1252')?.(`e${'\u0316'.repeat(marks)}\u0301`).bytes.toString('latin1');
  expect(encode(29)).toBe(`é${'?'.repeat(29)}`);
  expect(encode(30)).toBe(`e${'?'.repeat(31)}`);
});

import { expect, it } from 'vitest';
import * as texts from '../../../texts/ask.ts';
import { pasteProblem } from './paste.ts';

it.each([
  ['nothing', '', texts.pasteRowsFirst],
  ['only spaces and line ends', ' \r\n\n', texts.pasteRowsFirst],
  ['one cell', 'Berlin\r\n', texts.pasteMoreThanACell],
  ['one cell of several lines', '"a ""b""\nc"\r\n', texts.pasteMoreThanACell],
  ['a column', 'City\r\nBerlin\r\n', null],
  ['a row', 'Berlin\tGermany\r\n', null],
  ['quoted cells', '"a\nb"\t"c"\n"d"\te\n', null],
  ['lines of CSV', 'a,b\n"1","2"\n', null],
  ['more than a cell can hold', `"${'x\n'.repeat(20_000_000)}"`, null],
])('pasting %s', (_, text, problem) => {
  expect(pasteProblem(text)).toBe(problem);
});

import { describe, expect, it } from 'vitest';
import { missingColumns, splitAnswer } from './answer-columns.ts';

const fenced = '```json\n{"mood":"glad","score":3}\n```';

/** Screen and result file take their answer columns from this function alone, so these cases hold for both. */
const cases: [name: string, answer: string, columns: string[], values: string[] | null][] = [
  ['plain text', 'plain words', ['mood'], null],
  ['no answer columns', '{"mood":"glad"}', [], null],
  ['an array', '["glad"]', ['mood'], null],
  ['an object without any of the columns', '{"other":1}', ['mood'], null],
  ['an object that lacks one column', '{"mood":"glad"}', ['mood', 'score'], null],
  ['a fence that is not closed', '```json\n{"mood":"glad"}', ['mood'], null],
  ['JSON null', 'null', ['mood'], null],
  ['unfinished JSON', '{"mood":"gl', ['mood'], null],
  ['an object', '{"mood":"glad","score":3}', ['mood', 'score'], ['glad', '3']],
  ['an object with spaces around it', ' \n{"mood":"glad"}\n', ['mood'], ['glad']],
  ['an object in a Markdown fence', fenced, ['mood', 'score'], ['glad', '3']],
  ['a fence without a language', '```\n{"mood":"glad"}\n```', ['mood'], ['glad']],
  ['a fence with CRLF line ends', '```json\r\n{"mood":"glad"}\r\n```', ['mood'], ['glad']],
  ['a nested value', '```json\n{"mood":{"a":null}}\n```', ['mood'], ['{"a":null}']],
  ['an empty value', '{"mood":null}', ['mood'], ['']],
  ['an inherited name', '{"mood":1}', ['mood', 'toString'], null],
  ['a fence inside a sentence', `Here you are:\n${fenced}\nBye.`, ['mood', 'score'], ['glad', '3']],
  ['a fence inside a value', '{"mood":"```\\nglad\\n```"}', ['mood'], ['```\nglad\n```']],
  ['a column named __proto__', '{"__proto__":"p"}', ['__proto__'], ['p']],
];

describe('splitting an answer into columns', () => {
  it.each(cases)('with %s', (_name, answer, columns, values) => {
    expect(splitAnswer(answer, columns)).toEqual(values);
  });
});

describe('why an answer cannot be split', () => {
  it.each([
    ['nothing missing', '{"mood":1,"score":2}', []],
    ['an object in a fence', fenced, []],
    ['a lacking column', '{"mood":1}', ['score']],
    ['no object', 'plain words', null],
  ])('with %s', (_name, answer, missing) => {
    expect(missingColumns(answer, ['mood', 'score'])).toEqual(missing);
  });
});

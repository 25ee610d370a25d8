import { describe, expect, it } from 'vitest';
import type { AnswerColumn, Output } from './columns.ts';
import { cellsOf, readAnswer } from './read-answer.ts';
import { cellJson } from './values.ts';

const fenced = '```json\n{"mood":"glad","score":3}\n```';
const texts = (answer: string, columns: readonly Output[]) =>
  cellsOf(answer, columns)?.map(({ text }) => text) ?? null;

/** Screens and result files get their columns only from this function. */
const named: [name: string, answer: string, columns: string[], values: string[] | null][] = [
  ['plain text', 'plain words', ['mood'], null],
  ['no answer columns', '{"mood":"glad"}', [], null],
  ['an array', '["glad"]', ['mood'], null],
  ['an object without any of the columns', '{"other":1}', ['mood'], null],
  ['an object that lacks one column', '{"mood":"glad"}', ['mood', 'score'], null],
  ['JSON null', 'null', ['mood'], null],
  ['unfinished JSON', '{"mood":"gl', ['mood'], null],
  ['two objects in a list', '[{"mood":"glad"},{"mood":"sad"}]', ['mood'], null],
  ['an object', '{"mood":"glad","score":3}', ['mood', 'score'], ['glad', '3']],
  ['an object in another one', '{"answer":{"mood":"glad"}}', ['mood'], ['glad']],
  ['two objects in another one', '{"a":{"mood":"glad"},"b":{"mood":"sad"}}', ['mood'], null],
  ['a broken object around another', '{"name":"x","owner":{"mood":"sad"},}', ['mood'], null],
  ['an unfinished object around another', '{"x":[{"mood":"sad"}],"mood":"gl', ['mood'], null],
  ['double braces', '{{"mood":"glad"}}', ['mood'], ['glad']],
  ['a list of one object', '[{"mood":"glad"}]', ['mood'], ['glad']],
  ['an object with spaces around it', ' \n{"mood":"glad"}\n', ['mood'], ['glad']],
  ['an object in a Markdown fence', fenced, ['mood', 'score'], ['glad', '3']],
  ['a fence without a language', '```\n{"mood":"glad"}\n```', ['mood'], ['glad']],
  ['a fence with CRLF line ends', '```json\r\n{"mood":"glad"}\r\n```', ['mood'], ['glad']],
  ['a fence that is not closed', '```json\n{"mood":"glad"}', ['mood'], ['glad']],
  ['a nested value', '```json\n{"mood":{"a":null}}\n```', ['mood'], ['{"a":null}']],
  ['an empty value', '{"mood":null}', ['mood'], ['']],
  ['an inherited name', '{"mood":1}', ['mood', 'toString'], null],
  ['a fence inside a sentence', `Here you are:\n${fenced}\nBye.`, ['mood', 'score'], ['glad', '3']],
  ['a fence inside a value', '{"mood":"```\\nglad\\n```"}', ['mood'], ['```\nglad\n```']],
  ['a column named __proto__', '{"__proto__":"p"}', ['__proto__'], ['p']],
  ['a sentence before it', 'Sure! {"mood":"glad"}', ['mood'], ['glad']],
  ['braces in the sentence', 'As {mood} I give {"mood":"a } \\" {"} done', ['mood'], ['a } " {']],
  ['a draft before the answer', '{"mood":"draft"} no: {"mood":"glad"}', ['mood'], ['glad']],
  ['an example after the answer', '{"mood":"glad"} and {"other":1}', ['mood'], ['glad']],
  ['a key in other letters', '{"Unit_Price":"5"}', ['unit price'], ['5']],
  ['two keys that could be meant', '{"UNIT":"5","Unit":"6"}', ['unit'], null],
  ['a key that is another column', '{"Size":"5"}', ['Size', 'size'], null],
  ['a key twice', '{"mood":"a","mood":"b"}', ['mood'], ['b']],
  ['a long number', '{"mood":12345678901234567890}', ['mood'], ['12345678901234567890']],
  ['a long number inside', '{"mood":[12345678901234567890]}', ['mood'], ['[12345678901234567890]']],
  ['digits in a text', '{"mood":"n12345678901234567890"}', ['mood'], ['n12345678901234567890']],
  ['a NUL', '{"mood":"a\\u0000b"}', ['mood'], ['ab']],
  ['half a character', '{"mood":"a\\ud800"}', ['mood'], ['a\ufffd']],
  [
    'names of every script',
    '{"שם":"א","İ ß":"b","名前":"c"}',
    ['שם', 'i̇ ß', '名前'],
    ['א', 'b', 'c'],
  ],
  ['names of signs alone', '{"—":"a","…":"b"}', ['—', '!'], null],
  [
    'columns named as what objects inherit',
    '{"constructor":1,"__proto__":2}',
    ['__proto__', 'constructor'],
    ['2', '1'],
  ],
  ['only an inherited __proto__', '{"a":1}', ['__proto__', 'a'], null],
  ['braces without end', '{'.repeat(100_000), ['mood'], null],
  ['deep nesting', `{"mood":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, ['mood'], null],
];

describe('an answer in columns of text', () => {
  it.each(named)('with %s', (_name, answer, columns, values) => {
    expect(texts(answer, columns)).toEqual(values);
  });
});

const column = (type: AnswerColumn['type'], more: Partial<AnswerColumn> = {}): AnswerColumn => ({
  name: 'v',
  type,
  ...(type === 'choice' || type === 'choices' ? { options: ['Red', 'Dark blue', 'A, B'] } : {}),
  ...more,
});

/** Null: the value does not fit. */
const values: [AnswerColumn['type'], value: string, json: string | null][] = [
  ['text', '"a b"', '"a b"'],
  ['text', '12', '"12"'],
  ['text', '"none"', '"none"'],
  ['text', '"  "', null],
  ['text', 'null', null],
  ['integer', '3', '3'],
  ['integer', '3.0', '3'],
  ['integer', '-0', '0'],
  ['integer', '3.5', null],
  ['integer', '1e3', '1000'],
  ['integer', '1e400', null],
  ['integer', '"1e999999"', null],
  ['integer', '"1e400"', null],
  ['number', '-1e400', null],
  ['integer', '12345678901234567890', '12345678901234567890'],
  ['integer', '-12345678901234567890.0', '-12345678901234567890'],
  ['integer', '"12,345,678,901,234,567,890"', '12345678901234567890'],
  ['integer', '"1,234"', '1234'],
  ['integer', '"12,34,567"', '1234567'],
  ['integer', '"1.234.567"', '1234567'],
  ['integer', '"1 234 567"', '1234567'],
  ['integer', '"1\u202f234"', '1234'],
  ['integer', '"1\'234"', '1234'],
  ['integer', '"−5"', '-5'],
  ['integer', '"+5"', '5'],
  ['integer', '"007"', '7'],
  ['integer', '[3]', '3'],
  ['integer', '[3,4]', null],
  ['integer', '"about 3"', null],
  ['integer', '"3 apples"', null],
  ['integer', '"1,23"', null],
  ['integer', '"12%"', null],
  ['integer', 'true', null],
  ['integer', '{"a":1}', null],
  ['integer', '""', null],
  ['integer', '"n/a"', null],
  ['number', '0.1', '0.1'],
  ['number', '1.50', '1.5'],
  ['number', '5e-7', '0.0000005'],
  ['number', '0.12345678901234567890123', '0.12345678901234567890123'],
  ['number', '".5"', '0.5'],
  ['number', '"1,234.50"', '1234.5'],
  ['number', '"1.234,50"', '1234.5'],
  ['number', '"1.234"', '1.234'],
  ['number', '"0,5"', '0.5'],
  ['number', '"$ 1,200.99"', '1200.99'],
  ['number', '"-€5"', '-5'],
  ['number', '"1200 €"', '1200'],
  ['number', '"1,2,3"', null],
  ['number', '"1.2.3"', null],
  ['number', '"."', null],
  ['number', '"NaN"', null],
  ['number', '"0x10"', null],
  ['boolean', 'true', 'true'],
  ['boolean', '"Yes"', 'true'],
  ['boolean', '"yes."', 'true'],
  ['boolean', '"no"', 'false'],
  ['boolean', '"FALSE"', 'false'],
  ['boolean', '0', 'false'],
  ['boolean', '"maybe"', null],
  ['boolean', '2', null],
  ['choice', '"Red"', '"Red"'],
  ['choice', '"red."', '"Red"'],
  ['choice', '" DARK  Blue "', '"Dark blue"'],
  ['choice', '["Red"]', '"Red"'],
  ['choice', '"green"', null],
  ['choice', '"Red, Dark blue"', null],
  ['choice', '""', null],
  ['choices', '["Dark blue","red","Red"]', '["Red","Dark blue"]'],
  ['choices', '"dark blue; Red"', '["Red","Dark blue"]'],
  ['choices', '"A, B"', '["A, B"]'],
  ['choices', '"Red, a, b, Dark blue"', '["Red","Dark blue","A, B"]'],
  ['choices', '["A, B"]', '["A, B"]'],
  ['choices', '["green"]', null],
  ['choices', '[]', null],
  ['choices', '{"Red":true}', null],
  ['date', '"2026-01-31"', '"2026-01-31"'],
  ['date', '"2026-01-31T23:59:00Z"', '"2026-01-31"'],
  ['date', '"2026/1/3"', '"2026-01-03"'],
  ['date', '"20260103"', '"2026-01-03"'],
  ['date', '"31.01.2026"', '"2026-01-31"'],
  ['date', '"3.4.2026"', '"2026-04-03"'],
  ['date', '"31/01/2026"', '"2026-01-31"'],
  ['date', '"01/31/2026"', '"2026-01-31"'],
  ['date', '"03/03/2026"', '"2026-03-03"'],
  ['date', '"03/04/2026"', null],
  ['date', '"3 March 2026"', '"2026-03-03"'],
  ['date', '"March 3rd, 2026"', '"2026-03-03"'],
  ['date', '"1 Sept. 2026"', '"2026-09-01"'],
  ['date', '"2026-02-30"', null],
  ['date', '"0000-01-01"', null],
  ['date', '"1 Jan 0000"', null],
  ['date', '"10000-01-01"', null],
  ['date', '"9999-12-31"', '"9999-12-31"'],
  ['date', '"Marmalade 3, 2026"', null],
  ['date', '"next week"', null],
  ['date', '2026', null],
  ['date', '"2026"', null],
];

/** As long as the product takes one, and 100 times as long as an honest one. */
const megabyte = 1024 * 1024;
const hostile: [name: string, answer: () => string][] = [
  ['quotes that never end', () => JSON.stringify({ v: `a${'"'.repeat(megabyte)}b` })],
  ['points that never end', () => JSON.stringify({ v: `a${'.'.repeat(megabyte)}b` })],
  ['spaces', () => JSON.stringify({ v: `a${' '.repeat(megabyte)}b` })],
  ['digits', () => `{"v":${'9'.repeat(megabyte)}}`],
  ['separators', () => JSON.stringify({ v: ','.repeat(megabyte) })],
  ['braces', () => '{"v":'.repeat(megabyte / 5)],
  [
    'a hundred thousand keys',
    () =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 100_000 }, (_, key) => [`k ${key}`, 1])),
      ),
  ],
];

it.each(hostile)('reads a megabyte of %s without a long stop', (_name, answer) => {
  const columns = (['integer', 'number', 'boolean', 'choice', 'choices', 'date'] as const).map(
    (type) => column(type, { name: type === 'choice' ? 'v' : `v ${type}` }),
  );
  const text = answer();
  const start = process.cpuUsage();
  for (const one of columns) expect(cellsOf(text, [{ ...one, name: 'v' }])).toBeNull();
  expect(cellsOf(text, columns)).toBeNull();
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(5_000);
});

describe('a value of a typed column', () => {
  it.each(values)('%s of %s', (type, value, json) => {
    const cells = cellsOf(`{"v":${value}}`, [column(type)]);
    expect(cells?.map(cellJson) ?? null).toEqual(json === null ? null : [json]);
  });

  it.each<[AnswerColumn['type'], string]>([
    ['text', '""'],
    ['integer', '"N/A"'],
    ['number', 'null'],
    ['boolean', '"unknown"'],
    ['choice', '"none"'],
    ['choices', '[]'],
    ['date', '"-"'],
  ])('%s may be empty with %s', (type, value) => {
    expect(texts(`{"v":${value}}`, [column(type, { may_be_empty: true })])).toEqual(['']);
  });

  it('reads “None” as the option of that name, not as an empty value', () => {
    expect(texts('{"v":"None"}', [column('choice', { options: ['none', 'all'] })])).toEqual([
      'none',
    ]);
  });

  it('may stand alone when it is the only one', () => {
    expect(texts(' 7\n', [column('integer')])).toEqual(['7']);
    expect(texts('Red.', [column('choice')])).toEqual(['Red']);
    expect(texts('plain words', [column('text')])).toBeNull();
    expect(texts('7', [column('integer'), column('integer', { name: 'w' })])).toBeNull();
  });

  it('may be missing when it may be empty, unless all are', () => {
    const columns = [column('integer'), column('date', { name: 'w', may_be_empty: true })];
    expect(texts('{"v":1}', columns)).toEqual(['1', '']);
    expect(texts('{"error":"no"}', [column('integer', { may_be_empty: true })])).toBeNull();
  });
});

it.each<[string, readonly Output[], string]>([
  ['plain words', ['mood'], 'The answer is not split into columns, as was asked for.'],
  ['{"mood":1}', ['mood', 'score', 'w'], 'The answer lacks the columns “score”, “w”.'],
  ['{"v":"many"}', [column('integer')], '“v” must be a whole number, not “many”.'],
  ['{"v":""}', [column('date')], '“v” must not be empty.'],
  [
    '{"v":"green"}',
    [column('choice'), column('text', { name: 'w' })],
    'The answer lacks the column “w”. “v” must be one of “Red”, “Dark blue”, “A, B”, not “green”.',
  ],
])('says what is wrong with %s', (answer, columns, problem) => {
  expect(readAnswer(answer, columns)).toEqual({ problem });
});

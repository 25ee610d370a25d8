import { describe, expect, it } from 'vitest';
import {
  canBeInserted,
  completeVariable,
  type Edit,
  hasOpenBraces,
  insertVariable,
  matchNames,
  splitVariables,
  typedVariable,
} from './completion.ts';

const apply = (text: string, { from, to, insert }: Edit) =>
  text.slice(0, from) + insert + text.slice(to);
/** The caret is written as |. */
const splitAtCaret = (marked: string): [string, number] => [
  marked.replace('|', ''),
  marked.indexOf('|'),
];

describe('typedVariable', () => {
  it.each([
    ['Describe {{|', ''],
    ['Describe {{Na|', 'Na'],
    ['Describe {{ Na|me', 'Na'],
    ['{{Name}} and {{Ma|', 'Ma'],
    ['{{first na|', 'first na'],
  ])('finds the variable being typed in %s', (marked, name) => {
    expect(typedVariable(...splitAtCaret(marked))?.name).toBe(name);
  });

  it.each(['Describe |', '{{Name}}|', 'a {Na|', '{{Na\nme|', '|{{Name', '{{Na}|'])(
    'finds none in %j',
    (marked) => {
      expect(typedVariable(...splitAtCaret(marked))).toBeNull();
    },
  );
});

describe('completion', () => {
  it.each([
    ['', ['Name', 'Price', 'Material', 'Brand name']],
    ['na', ['Name', 'Brand name']],
    ['ma', ['Material']],
    ['e', ['Name', 'Price', 'Material', 'Brand name']],
    ['x', []],
  ])('offers the names that match %j', (typed, matches) => {
    expect(matchNames(['Name', 'Price', 'Material', 'Brand name'], typed)).toEqual(matches);
  });

  it.each([
    ['Describe {{Na| now', 'Describe {{Name}} now'],
    ['Describe {{Na|}} now', 'Describe {{Name}} now'],
    ['Describe {{| }}.', 'Describe {{Name}}.'],
    ['Describe {{Na|me}} now', 'Describe {{Name}} now'],
    ['{{Na| and {{Price}}', '{{Name}} and {{Price}}'],
    ['{{Price}} {{|', '{{Price}} {{Name}}'],
  ])('replaces the typed part in %s', (marked, after) => {
    const [text, caret] = splitAtCaret(marked);
    const typed = typedVariable(text, caret);
    expect(typed && apply(text, completeVariable(text, typed, 'Name'))).toBe(after);
  });
});

describe('a chip', () => {
  it.each([
    ['|', '{{Name}}'],
    ['Describe |', 'Describe {{Name}}'],
    ['Describe|', 'Describe {{Name}}'],
    ['Describe |in one', 'Describe {{Name}} in one'],
    ['Describe (|)', 'Describe ({{Name}})'],
    ['{{Price}}|{{Material}}', '{{Price}} {{Name}} {{Material}}'],
  ])('is inserted at the caret of %j', (marked, after) => {
    const [text, caret] = splitAtCaret(marked);
    expect(apply(text, insertVariable(text, { from: caret, to: caret }, 'Name'))).toBe(after);
  });

  it('replaces the selection', () => {
    const edit = insertVariable('Describe it.', { from: 9, to: 11 }, 'Name');
    expect(apply('Describe it.', edit)).toBe('Describe {{Name}}.');
  });
});

it.each([
  ['Name', true],
  ['first name', true],
  ['Gro\u0308\u00dfe', true],
  [' Name', false],
  ['a{b', false],
  ['', false],
])('says whether the name %j can be written in a prompt: %j', (name, can) => {
  expect(canBeInserted(name)).toBe(can);
});

it.each([
  ['{{Name}} {{Price}}', false],
  ['{{Name', true],
  ['{{Name} and {{Price}}', true],
  ['{Name}', false],
])('says whether %j has open braces: %j', (text, has) => {
  expect(hasOpenBraces(text)).toBe(has);
});

it('splits a text at its variables, and leaves open braces in the text', () => {
  const text = '{{Name}} of {{ My column }}, {{ }} {{Citta\u0300}} {{ open';
  const parts = splitVariables(text);
  expect(parts.map(({ text }) => text).join('')).toBe(text);
  expect(parts.flatMap(({ name }) => name ?? [])).toEqual(['Name', 'My column', 'Citt\u00e0']);
});

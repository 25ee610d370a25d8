import { describe, expect, it } from 'vitest';
import {
  canBeNamed,
  complete,
  type Edit,
  hasOpenBraces,
  matching,
  placeAt,
  typingAt,
} from './completion.ts';

const apply = (text: string, { from, to, insert }: Edit) =>
  text.slice(0, from) + insert + text.slice(to);
/** The caret is written as |. */
const split = (marked: string): [string, number] => [marked.replace('|', ''), marked.indexOf('|')];

describe('what is being typed', () => {
  it.each([
    ['Describe {{|', ''],
    ['Describe {{Na|', 'Na'],
    ['Describe {{ Na|me', 'Na'],
    ['{{Name}} and {{Ma|', 'Ma'],
    ['{{first na|', 'first na'],
  ])('is a variable in %s', (marked, name) => {
    expect(typingAt(...split(marked))?.name).toBe(name);
  });

  it.each(['Describe |', '{{Name}}|', 'a {Na|', '{{Na\nme|', '|{{Name', '{{Na}|'])(
    'is none in %j',
    (marked) => {
      expect(typingAt(...split(marked))).toBeNull();
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
  ])('offers for %j', (typed, offered) => {
    expect(matching(['Name', 'Price', 'Material', 'Brand name'], typed)).toEqual(offered);
  });

  it.each([
    ['Describe {{Na| now', 'Describe {{Name}} now'],
    ['Describe {{Na|}} now', 'Describe {{Name}} now'],
    ['Describe {{| }}.', 'Describe {{Name}}.'],
    ['Describe {{Na|me}} now', 'Describe {{Name}} now'],
    ['{{Na| and {{Price}}', '{{Name}} and {{Price}}'],
    ['{{Price}} {{|', '{{Price}} {{Name}}'],
  ])('takes the place of what was typed in %s', (marked, after) => {
    const [text, caret] = split(marked);
    const typing = typingAt(text, caret);
    expect(typing && apply(text, complete(text, typing, 'Name'))).toBe(after);
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
  ])('goes to the caret of %j', (marked, after) => {
    const [text, caret] = split(marked);
    expect(apply(text, placeAt(text, { from: caret, to: caret }, 'Name'))).toBe(after);
  });

  it('takes the place of what is selected', () => {
    expect(apply('Describe it.', placeAt('Describe it.', { from: 9, to: 11 }, 'Name'))).toBe(
      'Describe {{Name}}.',
    );
  });
});

it.each([
  ['Name', true],
  ['first name', true],
  [' Name', false],
  ['a{b', false],
  ['', false],
])('knows whether %j can stand in a template', (name, can) => {
  expect(canBeNamed(name)).toBe(can);
});

it.each([
  ['{{Name}} {{Price}}', false],
  ['{{Name', true],
  ['{{Name} and {{Price}}', true],
  ['{Name}', false],
])('sees whether braces are left open in %j', (text, are) => {
  expect(hasOpenBraces(text)).toBe(are);
});

import { expect, it } from 'vitest';
import { askChatGpt, type Endpoint, endpoints, normalised, registerUser } from './index.ts';

const wrongValues = [7, -1.5, 'text', '', true, null, [], [{}], {}, { a: 1 }, 'x'.repeat(200_000)];

it.each(Object.entries(endpoints) as [string, Endpoint][])(
  'says in words what is wrong with each field of %s',
  (_, { request }) => {
    const { shape = {} } = request as { shape?: object };
    for (const field of Object.keys(shape)) {
      for (const value of wrongValues) {
        const { error } = request.safeParse({ [field]: value });
        for (const { message } of error?.issues ?? [])
          expect(message).toMatch(/^(?!Invalid input)[A-Z].*\.$/);
      }
    }
  },
);

it('names the kind of value that a field needs', () => {
  const request = { question: 'x', query: '{}' };
  const [issue] = askChatGpt.request.safeParse(request).error?.issues ?? [];
  expect(issue).toMatchObject({ path: ['query'], message: 'Must be an object.' });
});

it('drops characters that make a name or an address look like another', () => {
  const person = { last_name: 'Kelly', password: 'plain straw 47 winter' };
  const parse = (first_name: string, email: string) =>
    registerUser.request.safeParse({ ...person, first_name, email });
  expect(parse('Ada\u202e\u2066', 'a\u200bda\u202e@example.test').data).toMatchObject({
    first_name: 'Ada',
    email: 'ada@example.test',
  });
  expect(parse('\u0646\u200c\u0627', '\ufeffada@example.test').success).toBe(true);
  for (const invisible of ['\u200b', '\u3164', '\u2800', '\u202e', ' \u0301'])
    expect(parse(invisible, 'ada@example.test').error?.issues).toMatchObject([
      { path: ['first_name'], message: 'Please fill this in.' },
    ]);
});

it('normalises a text unless a letter has more marks than any language needs', () => {
  const composed = 'caf\u00e9';
  expect(normalised(composed.normalize('NFD'))).toBe(composed);
  for (const marks of ['\u0301\u0316', '\u0301\uff9e']) {
    const bomb = `e${marks.repeat(16)}`;
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
      expect(normalised(bomb, form)).toBe(bomb);
  }
});

it('knows every character that the normal forms put in order', () => {
  const [first, last] = ['\u0334', '\u0345'];
  const moves = (text: string) => text.normalize('NFKD') !== text;
  const isOrdered = (character = '') => moves(last + character) || moves(character + first);
  const ordered = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
    .filter((character) => character.isWellFormed())
    .filter((character) => isOrdered([...character.normalize('NFKD')][0]));
  for (const character of ordered)
    expect(normalised(character.repeat(31), 'NFKD'), character).toBe(character.repeat(31));
  expect(ordered.length).toBeGreaterThan(800);
});

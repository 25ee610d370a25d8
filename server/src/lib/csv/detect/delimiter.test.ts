import { describe, expect, it } from 'vitest';
import { guessDelimiter } from './delimiter.ts';

const cases: { name: string; text: string; delimiter: string; isSure?: boolean }[] = [
  { name: 'decimal commas', text: 'a;b;c\n1,5;2,5;3,5\n1,5;2,5;3,5\n', delimiter: ';' },
  { name: 'one ragged row', text: 'a,b,c\n1,2\n3,4,5\n6,7,8\n', delimiter: ',' },
  { name: 'spaces after commas', text: 'name, age\nBo, 3\nAl, 4\n', delimiter: ',' },
  { name: 'a padded table', text: 'a | b | c\n1 | 2 | 3\n', delimiter: '|' },
  {
    name: 'prose in a column',
    text: 'id\tprompt\n1\tWrite, please\n2\tGo, now, there\n',
    delimiter: '\t',
  },
  { name: 'lists within cells', text: 'id,tags\n1,a;b\n2,c;d\n', delimiter: ',' },
  {
    name: 'ragged rows and a steady second delimiter',
    text: `id,note\n${'1,a;b\n'.repeat(50)}1,2,a;b\n2,3,a;b\n`,
    delimiter: ',',
  },
  { name: 'quoted prose alone', text: '"Hello, world"\n"One; two"\n', delimiter: ',' },
  { name: 'one word a line', text: 'one\ntwo\n', delimiter: ',' },
  { name: 'one line of prose', text: 'Hello, tell me why?\n', delimiter: '\t' },
  {
    name: 'uneven prose',
    text: 'Hello, world\nOne, two, three\nFour\nFive, six\n',
    delimiter: '\t',
  },
  {
    name: 'steady prose',
    text: 'Hello, who are you?\nPlease, go away.\n',
    delimiter: '\t',
    isSure: false,
  },
  {
    name: 'no steady delimiter',
    text: 'a,b,c\nd,e\nf\ng,h,i,j\nk,l,m,n,o\n',
    delimiter: '\t',
    isSure: false,
  },
  { name: 'a tie', text: 'a,b;c\nd,e;f\n', delimiter: ',', isSure: false },
  { name: 'nothing', text: '', delimiter: ',' },
];

describe('guessing the delimiter', () => {
  it.each(cases)('of $name', ({ text, delimiter, isSure = true }) => {
    expect(guessDelimiter(text, { isWhole: true })).toMatchObject({ delimiter, isSure });
  });
});

import { describe, expect, it } from 'vitest';
import { guessDelimiter } from './delimiter.ts';

const sure: [name: string, delimiter: string, text: string][] = [
  ['decimal commas', ';', 'a;b;c\n1,5;2,5;3,5\n1,5;2,5;3,5\n'],
  ['one ragged row', ',', 'a,b,c\n1,2\n3,4,5\n6,7,8\n'],
  ['spaces after commas', ',', 'name, age\nBo, 3\nAl, 4\n'],
  ['a padded table', '|', 'a | b | c\n1 | 2 | 3\n'],
  ['prose in a column', '\t', 'id\tprompt\n1\tWrite, please\n2\tGo, now, there\n'],
  ['lists within cells', ',', 'id,tags\n1,a;b\n2,c;d\n'],
  ['ragged rows and a steady other', ',', `id,note\n${'1,a;b\n'.repeat(50)}1,2,a;b\n2,3,a;b\n`],
  ['quoted prose alone', ',', '"Hello, world"\n"One; two"\n'],
  ['one word a line', ',', 'one\ntwo\n'],
  ['one line of prose', '\t', 'Hello, tell me why?\n'],
  ['uneven prose', '\t', 'Hello, world\nOne, two, three\nFour\nFive, six\n'],
  ['nothing', ',', ''],
];
const unsure: typeof sure = [
  ['steady prose', '\t', 'Hello, who are you?\nPlease, go away.\n'],
  ['no steady delimiter', '\t', 'a,b,c\nd,e\nf\ng,h,i,j\nk,l,m,n,o\n'],
  ['lists of one length within cells', ',', 'id,text\n1,"a;b;c"\n2,"d;e;f"\n3,"x;y;z"\n'],
  ['commas of one number within cells', ';', 'id;text\n1;a, b, c\n2;d, e, f\n3;x, y, z\n'],
  ['a tie', ',', 'a,b;c\nd,e;f\n'],
];
const cases = [...sure, ...unsure];

describe('guessing the delimiter', () => {
  it.each(cases)('of %s', (name, delimiter, text) => {
    const isSure = sure.some(([known]) => known === name);
    expect(guessDelimiter(text, { isWhole: true })).toMatchObject({ delimiter, isSure });
  });
});

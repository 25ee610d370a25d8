import { csvLine } from '@rowmill/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importContent } from '../../../harness/test-sheet.ts';

const cells: [string, string][] = [
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['a "b"', '"a ""b"""'],
  ['a\nb', '"a\nb"'],
  ['=cmd', "'=cmd"],
  ['+1 x', "'+1 x"],
  ['-a', "'-a"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  [' =1', "' =1"],
  ['"=1', '"\'""=1"'],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠a', "'＠a"],
  ['\n=1', '"\'\n\'=1"'],
  ["x;=cmd|' /C calc'!A0;y", "x;'=cmd|' /C calc'!A0;y"],
  ['a\n- b\n+c', '"a\n\'- b\n\'+c"'],
  ['a| @b', "a|' @b"],
  ['a\t"=b', '"a\t\'""=b"'],
  ['1;-2|+3.5\n-4,5', '"1;-2|+3.5\n-4,5"'],
  ['+44 1624', "'+44 1624"],
  ['-5', '-5'],
  ['+5.25', '+5.25'],
  ['-5,25', '"-5,25"'],
  ['-5-5', "'-5-5"],
  ['5', '5'],
  ['-', "'-"],
  ['', ''],
];

describe('a CSV cell', () => {
  it.each(cells)('%j is written as %j', (cell, written) => {
    expect(csvLine([cell, 'x'])).toBe(`${written},x\r\n`);
  });

  it('is quoted for the delimiter in use', () => {
    expect(csvLine(['a,b', 'c;d', 'é|'], ';')).toBe('a,b;"c;d";é|\r\n');
    expect(csvLine(['a b', 'c'], ' ')).toBe('"a b" c\r\n');
  });

  it('is quoted when it is empty and the only one, so that the row is not lost', () => {
    expect(csvLine([''])).toBe('""\r\n');
  });
});

describe('a written CSV file', () => {
  const cell = fc
    .oneof(
      fc.string({ maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...' "\',;|=+-@\t\r\n＝＋－＠0123.a'), maxLength: 8 }),
    )
    .filter((text) => !/[\0\ufeff]/.test(text));

  it.each([',', ';', '\t', '|'])(
    'delimited by %j reads back equal, except for the apostrophes before formulas',
    async (delimiter) => {
      const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 20, maxLength: 100 });
      await fc.assert(
        fc.asyncProperty(rows, async (written) => {
          const text = [['a', 'b', 'c'], ...written]
            .map((cells) => csvLine(cells, delimiter))
            .join('');
          const dialect = { encoding: 'utf-8', delimiter, header: true };
          const { rows: read } = await importContent(text, { dialect });
          expect(read).toEqual(written.map((cells) => cells.map(escaped)));
        }),
        { numRuns: 25 },
      );
    },
  );
});

/** However a spreadsheet splits the cell, no part is a formula; the rest is as it was. */
function escaped(text: string): string {
  let inner = '';
  let part = '';
  for (const character of [...text, null]) {
    if (character !== null && !';\t|\r\n'.includes(character)) {
      part += character;
      continue;
    }
    inner += (inner !== '' && isFormula(part) ? "'" : '') + part + (character ?? '');
    part = '';
  }
  return (isFormula(text) ? "'" : '') + inner;
}

function isFormula(text: string): boolean {
  if (/^[+-]?\d+([.,]\d+)?$/.test(text)) return false;
  const start = [...text].findIndex(
    (character) => !/[\s"'“”‘’]/.test(character) || '\t\r'.includes(character),
  );
  return start >= 0 && '=+-@\t\r＝＋－＠'.includes([...text][start] ?? '');
}

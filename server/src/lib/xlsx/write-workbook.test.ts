import { buffer } from 'node:stream/consumers';
import * as fc from 'fast-check';
import readWorkbook from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { maximumCellLength } from './cell-cuts.ts';
import { columnLetters } from './cell-xml.ts';
import { writeWorkbook } from './write-workbook.ts';

async function* inPairs(rows: readonly string[][]): AsyncGenerator<string[][]> {
  for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2);
}

async function readBack(
  rows: readonly string[][],
): Promise<{ results: string[][]; notes: string[][] | undefined }> {
  const file = writeWorkbook({ rows: inPairs(rows), hasHeader: true, writtenAt: new Date(0) });
  const sheets = await readWorkbook(await buffer(file), { trim: false });
  expect(['Results', 'Results,Notes']).toContain(sheets.map(({ sheet }) => sheet).join());
  const [results = [], notes] = sheets.map(({ data }) =>
    data.map((cells) => cells.map((cell) => cell ?? '')),
  );
  return { results: results as string[][], notes: notes as string[][] | undefined };
}

const allText =
  'The cells of your sheet are text: leading zeros, long numbers and dates are unchanged.';

describe('a workbook', () => {
  it('writes every cell as text, unchanged', async () => {
    const rows = [
      ['Number', 'Long number', 'Date', 'Formula', 'Markup', 'Letters'],
      ['007', '12345678901234567890', '2026-01-02', '=1+1', '<b>&amp; ]]> "x"', 'Zoë 日本 😀'],
      ['1e5', '-5', 'TRUE', "'=x", '_x0041_ _x00', 'a\r\nb\rc\td\ne'],
      ['', '', '', '', '', 'after empty ones'],
      ['  led', 'trailed  ', ' ', '\u0001\u001f\u007f\ufffe', 'half \ud800!', '_'],
    ];
    const { results, notes } = await readBack(rows);
    expect(results).toEqual(rows.map((cells) => cells.map((cell) => cell.toWellFormed())));
    expect(notes).toBeUndefined();
  });

  it('reads back equal for any text', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'_x0041&<>;"\'\r\n\t '), maxLength: 12 }),
    );
    const table = fc.array(fc.tuple(cell, cell, fc.constant('end')), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        expect((await readBack(rows)).results).toEqual(
          rows.map((cells) => cells.map((text) => text.toWellFormed())),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('cuts texts that are too long for a cell and lists them', async () => {
    const long = 'x'.repeat(maximumCellLength + 1);
    const letters = `${'x'.repeat(maximumCellLength - 32)}${'😀'.repeat(40)}`;
    const { results, notes } = await readBack([
      ['a', 'b'],
      ['x'.repeat(maximumCellLength), long],
      [letters, ''],
    ]);
    expect(results[1]?.[0]).toBe('x'.repeat(maximumCellLength));
    for (const [shown, kept] of [
      [results[1]?.[1], long],
      [results[2]?.[0], letters],
    ]) {
      expect(shown).toMatch(/^x+ … \[cut, see the sheet “Notes”\]$/);
      expect(shown?.length).toBeLessThanOrEqual(maximumCellLength);
      expect(kept?.startsWith(shown?.slice(0, -32) ?? ' ')).toBe(true);
    }
    expect(notes?.[0]?.[0]).toBe(allText);
    expect(notes?.slice(2)).toEqual([
      ['Cell', 'Characters'],
      ['B2', `${long.length}`],
      ['A3', `${letters.length}`],
    ]);
    expect(notes?.[1]?.[0]).toMatch(/2 longer texts were cut/);
  });

  it('fails when reading its rows fails', async () => {
    async function* broken() {
      yield [['a']];
      throw new Error('The database is unavailable.');
    }
    const file = writeWorkbook({ rows: broken(), hasHeader: false, writtenAt: new Date(0) });
    await expect(buffer(file)).rejects.toThrow('The database is unavailable.');
  });

  it('reads no more rows once the reader has gone', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    async function* endless() {
      try {
        for (let number = 0; ; number += 1) {
          if (number === 100) file.destroy();
          yield [[`${number}`]];
        }
      } finally {
        resolve();
      }
    }
    const file = writeWorkbook({ rows: endless(), hasHeader: false, writtenAt: new Date(0) });
    file.resume();
    await left;
  });
});

it.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [51, 'AZ'],
  [52, 'BA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('names column %i %s', (index, letters) => {
  expect(columnLetters(index)).toBe(letters);
});

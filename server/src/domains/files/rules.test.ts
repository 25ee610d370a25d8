import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../lib/csv/sheet.ts';
import {
  blocksFor,
  derivedName,
  originalKey,
  presentSheet,
  rowsKey,
  type SheetRow,
  sheetIdOf,
} from './rules.ts';

const plain: Dialect = { encoding: 'utf-8', delimiter: ',', header: true, layout: {} };

describe('the key of a rows file', () => {
  it.each<[string, Partial<Dialect>]>([
    ['encoding', { encoding: 'utf-16le' }],
    ['delimiter', { delimiter: ';' }],
    ['header', { header: false }],
    ['format', { layout: { format: 'workbook', worksheet: 0 } }],
    ['worksheet', { layout: { format: 'workbook', worksheet: 1 } }],
    ['title rows', { layout: { skip_rows: 2 } }],
    ['header rows', { layout: { header_rows: 2 } }],
    ['comments', { layout: { comment: '#' } }],
    ['trimming', { layout: { trim: true } }],
    ['quote', { layout: { quote: "'" } }],
  ])('is another one for another %s', (_what, change) => {
    expect(rowsKey('s1', { ...plain, ...change })).not.toBe(rowsKey('s1', plain));
  });

  it('does not depend on the order of the settings', () => {
    const inOrder = { ...plain, layout: { trim: true, skip_rows: 1 } };
    const reversed = { ...plain, layout: { skip_rows: 1, trim: true } };
    expect(rowsKey('s1', inOrder)).toBe(rowsKey('s1', reversed));
  });
});

it.each([
  ['prices.tsv', undefined, 'prices-answers.tsv'],
  ['prices.tsv', '.xlsx', 'prices-answers.xlsx'],
  ['list of v1.5 parts', undefined, 'list of v1.5 parts-answers.csv'],
])('names a file that is made of %j with the extension %j %j', (name, extension, expected) => {
  expect(derivedName(name, 'answers', { extension })).toBe(expected);
});

it('finds the sheet of each of its keys', () => {
  for (const key of [originalKey('s1'), rowsKey('s1', plain)]) expect(sheetIdOf(key)).toBe('s1');
});

describe('the blocks of 256 rows', () => {
  it.each([
    ['the first row', { first: 0, last: 0 }, { from: 0, to: 1, firstRow: 0 }],
    ['a whole block', { first: 256, last: 511 }, { from: 1, to: 2, firstRow: 256 }],
    ['rows across a border', { first: 255, last: 256 }, { from: 0, to: 2, firstRow: 0 }],
    ['a slice of 512 rows', { first: 512, last: 1_023 }, { from: 2, to: 4, firstRow: 512 }],
    ['rows in the middle', { first: 300, last: 309 }, { from: 1, to: 2, firstRow: 256 }],
  ])('that hold %s', (_case, rows, blocks) => {
    expect(blocksFor(rows)).toEqual(blocks);
  });
});

describe('presentSheet', () => {
  const row = {
    id: 's1',
    encoding: 'utf-8',
    delimiter: ',',
    header: true,
    layout: {},
    dialect_confirmed: false,
    metadata: { secret: 'x' },
    created_at: new Date('2026-01-01T00:00:00Z'),
  } as unknown as SheetRow;

  it('shows the usual dialect of a plain text file', () => {
    const sheet = presentSheet(row);
    expect(sheet).toMatchObject({ is_sure: false, created_at: '2026-01-01T00:00:00.000Z' });
    expect(sheet).not.toHaveProperty('metadata');
    expect(sheet.dialect).toEqual({
      format: 'delimited',
      encoding: 'utf-8',
      comment: '',
      quote: '"',
      delimiter: ',',
      worksheet: null,
      header: true,
      header_rows: 1,
      skip_rows: 0,
      trim: false,
    });
  });

  it('shows what a workbook sets', () => {
    const layout = { format: 'workbook', worksheet: 2, skip_rows: 3 } as const;
    expect(presentSheet({ ...row, layout }).dialect).toMatchObject({ ...layout, header_rows: 1 });
  });
});

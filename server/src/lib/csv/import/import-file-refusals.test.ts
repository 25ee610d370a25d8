import { describe, expect, it } from 'vitest';
import { importContent, refusalOf } from '../../../../harness/test-sheet.ts';

const small = { rows: 3, columns: 4, recordBytes: 100, cellBytes: 50, bytes: 100_000 };
const xs = 'x'.repeat(33);
const xml = '<?xml version="1.0"?>\n<Workbook>\n<Worksheet/>\n</Workbook>';
const page = '<html>\n<head></head>\n<body>\n<table>\n<tr><td>a</td></tr>\n</table>\n</body>';
const table = Buffer.from('\ufeff\n<table border="1">\n<tr><td>a</td></tr>\n</table>', 'utf16le');
const hex = (bytes: string) => Buffer.from(bytes, 'hex');

const tooLarge: [name: string, content: string | Buffer, line: number | null, message: RegExp][] = [
  ['too many bytes', 'x'.repeat(100_001), null, /more than 100,000 bytes/],
  [
    'too many rows',
    'a,b\n"1\n",2\n1,2\n1,2\n1,2\n',
    6,
    /^Line 6: more than 3 rows\. Split the sheet/,
  ],
  ['too many columns', 'a,b\n1,2\n1,2,3,4,5\n', 3, /^Line 3: more than 4 columns/],
  ['too many columns after quotes', 'a,b\n"1",2,3,4,5\n', 2, /more than 4 columns/],
  ['a million commas', ','.repeat(90_000), 1, /more than (4 columns|100 bytes)/],
  ['a long cell', `a,b\n1,${'x'.repeat(51)}\n`, 2, /cell in “b” has more than 50 bytes/],
  ['a long cell of wide characters', `a,b\n1,${'日'.repeat(17)}\n`, 2, /“b”/],
  ['a long record', `a,b,c\n${xs},${xs},${xs}\n`, 2, /record has more than 100 bytes/],
  ['a long record without a line end', `a\n${'x'.repeat(101)}`, 2, /record/],
  ['too many empty lines', `a\n${'\n'.repeat(4)}`, 5, /more than 3 empty lines/],
];
const unreadable: typeof tooLarge = [
  ['an empty file', '', null, /^The file has no rows\. Add some/],
  ['a header without rows', 'a,b\n', null, /^The file has no rows below/],
  ['only line ends', '\n\n', null, /no rows/],
  ['only a byte order mark', '\ufeff', null, /no rows/],
  [
    'JSON Lines in UTF-16, as a Windows shell writes them',
    Buffer.from('\ufeff{"a":"x"}\n{"a":"y"}\n', 'utf16le'),
    null,
    /JSON in UTF-16/,
  ],
  [
    'an open quote',
    'a,b\n1,2\n3,"x\ny\n',
    3,
    /^Line 3: the quote that opens here is never closed\. Close/,
  ],
  ['an open quote on a later line', 'a,b\n"x\ny","z\n', 3, /never closed/],
  [
    'a quote still open past the limit',
    `a,b\n1,"x\n${'y\n'.repeat(60)}`,
    2,
    /not closed within|never closed/,
  ],
  [
    'a quote that closes past the limit',
    `a,b\n1,"${'y'.repeat(101)}",2\n`,
    2,
    /not closed within 100 bytes/,
  ],
];
const notASheet: [name: string, content: string | Buffer, message: RegExp][] = [
  [
    'a ZIP file',
    Buffer.concat([hex('504b0304'), Buffer.alloc(50, 'x')]),
    /damaged workbook or another kind of archive/,
  ],
  ['a gzip file', hex('1f8b0800'), /gzip/],
  ['a Windows program', hex('4d5a90000300'), /program/],
  ['a Linux program', hex('7f454c46'), /program/],
  ['a PDF', '%PDF-1.7', /PDF/],
  ['a web page saved as .xls', `${page}\n</html>`, /web page/],
  ['a table of a web page, in UTF-16', table, /web page/],
  ['a workbook in XML', xml, /XML/],
  ['an RTF document', '{\\rtf1\\ansi\na\\par\n}', /RTF/],
  ['a PNG', hex('89504e470d0a1a0a'), /image/],
  ['a JPEG', hex('ffd8ffe0'), /image/],
  ['an old Excel file', hex('d0cf11e0a1b11ae1'), /Excel.*password/],
  ['only NUL bytes', Buffer.alloc(90_000), /nor a text file/],
];
const refused = [
  ...tooLarge.map(([name, ...rest]) => [name, 'too_large', ...rest] as const),
  ...unreadable.map(([name, ...rest]) => [name, 'unreadable', ...rest] as const),
  ...notASheet.map(([name, content, says]) => [name, 'not_a_sheet', content, null, says] as const),
];

describe('importing a file', () => {
  it.each(refused)('refuses %s', async (_, kind, content, line, message) => {
    const refusal = await refusalOf(importContent(content, { limits: small }));
    expect(refusal).toMatchObject({ kind, line });
    expect(refusal.message).toMatch(message);
  });

  it.each(['not a workbook at all', '', 'a,b\n'])(
    'says that %j is no workbook',
    async (content) => {
      const refusal = await refusalOf(importContent(content, { name: 'prices.xlsx' }));
      expect(refusal).toMatchObject({ kind: 'not_a_sheet', line: null });
      expect(refusal.message).toMatch(/^This is not a workbook/);
      expect((await importContent('a,b\n1,2\n', { name: 'prices.xlsx' })).sheet.rows).toBe(1);
    },
  );

  it.each(['PK,name\n1,2\n', 'MZ,name\n1,2\n'])(
    'accepts %j, which only starts like a program',
    async (content) => {
      expect((await importContent(content)).rows).toEqual([['1', '2']]);
    },
  );

  it('refuses a file whose rows take too many times its bytes', async () => {
    const content = `a,b\n${'x,"""y"\n'.repeat(2000)}`;
    const refusal = await refusalOf(importContent(content, { limits: { growth: 1 } }));
    expect(refusal).toMatchObject({
      kind: 'too_large',
      message: expect.stringContaining('needs more than 16,004 bytes of storage'),
    });
    expect(refusal.line).toBeLessThan(2000);
  });

  it('refuses an unknown encoding and an invalid delimiter', async () => {
    expect(
      await refusalOf(importContent('a\nb\n', { dialect: { encoding: 'klingon' } })),
    ).toMatchObject({ kind: 'unreadable' });
    expect(await refusalOf(importContent('a\nb\n', { dialect: { delimiter: '"' } }))).toMatchObject(
      { kind: 'unreadable' },
    );
  });

  it.each([
    [
      'pieces of web pages',
      'Page\n"<html><body>a</body></html>"\n<table><tr><td>b</td></tr></table>\n',
    ],
    ['prompts about tags', '<table> is an element of what?\n<html> is an element of what?\n'],
  ])('accepts a list of %s', async (_, content) => {
    expect((await importContent(content)).sheet.rows).toBe(2);
  });

  it('accepts a sheet exactly at the limits', async () => {
    const record = `${'x'.repeat(50)},${'y'.repeat(49)}`;
    expect(
      (await importContent(`a,b\n${record}\n${record}\n"",""\n`, { limits: small })).sheet.rows,
    ).toBe(3);
  });
});

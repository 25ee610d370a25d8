import { describe, expect, it } from 'vitest';
import { importContent, refusalOf } from '../../../../harness/test-sheet.ts';

const zip = Buffer.from('504b0304', 'hex');
const small = { rows: 3, columns: 4, recordBytes: 100, cellBytes: 50, bytes: 100_000 };
const refused: {
  name: string;
  content: string | Buffer;
  kind: string;
  line: number | null;
  message: RegExp;
}[] = [
  {
    name: 'an empty file',
    content: '',
    kind: 'unreadable',
    line: null,
    message: /^The file has no rows\.$/,
  },
  {
    name: 'a header without rows',
    content: 'a,b\n',
    kind: 'unreadable',
    line: null,
    message: /no rows/,
  },
  { name: 'only line ends', content: '\n\n', kind: 'unreadable', line: null, message: /no rows/ },
  {
    name: 'only a byte order mark',
    content: '\ufeff',
    kind: 'unreadable',
    line: null,
    message: /no rows/,
  },
  {
    name: 'too many bytes',
    content: 'x'.repeat(100_001),
    kind: 'too_large',
    line: null,
    message: /more than 100,000 bytes/,
  },
  {
    name: 'too many rows',
    content: 'a,b\n"1\n",2\n1,2\n1,2\n1,2\n',
    kind: 'too_large',
    line: 6,
    message: /^Line 6: more than 3 rows\.$/,
  },
  {
    name: 'too many columns',
    content: 'a,b\n1,2\n1,2,3,4,5\n',
    kind: 'too_large',
    line: 3,
    message: /^Line 3: more than 4 columns/,
  },
  {
    name: 'too many columns after quotes',
    content: 'a,b\n"1",2,3,4,5\n',
    kind: 'too_large',
    line: 2,
    message: /more than 4 columns/,
  },
  {
    name: 'a million commas',
    content: ','.repeat(90_000),
    kind: 'too_large',
    line: 1,
    message: /more than (4 columns|100 bytes)/,
  },
  {
    name: 'a long cell',
    content: `a,b\n1,${'x'.repeat(51)}\n`,
    kind: 'too_large',
    line: 2,
    message: /cell in “b” has more than 50 bytes/,
  },
  {
    name: 'a long cell of wide characters',
    content: `a,b\n1,${'日'.repeat(17)}\n`,
    kind: 'too_large',
    line: 2,
    message: /“b”/,
  },
  {
    name: 'a long record',
    content: `a,b,c\n${'x'.repeat(33)},${'x'.repeat(33)},${'x'.repeat(33)}\n`,
    kind: 'too_large',
    line: 2,
    message: /record has more than 100 bytes/,
  },
  {
    name: 'a long record without a line end',
    content: `a\n${'x'.repeat(101)}`,
    kind: 'too_large',
    line: 2,
    message: /record/,
  },
  {
    name: 'too many empty lines',
    content: `a\n${'\n'.repeat(4)}`,
    kind: 'too_large',
    line: 5,
    message: /more than 3 empty lines/,
  },
  {
    name: 'a quote that is never closed',
    content: 'a,b\n1,2\n3,"x\ny\n',
    kind: 'unreadable',
    line: 3,
    message: /^Line 3: the quote that opens here is never closed/,
  },
  {
    name: 'a quote on a later line that is never closed',
    content: 'a,b\n"x\ny","z\n',
    kind: 'unreadable',
    line: 3,
    message: /never closed/,
  },
  {
    name: 'a quote still open past the limit',
    content: `a,b\n1,"x\n${'y\n'.repeat(60)}`,
    kind: 'unreadable',
    line: 2,
    message: /not closed within|never closed/,
  },
  {
    name: 'a quote that closes past the limit',
    content: `a,b\n1,"${'y'.repeat(101)}",2\n`,
    kind: 'unreadable',
    line: 2,
    message: /not closed within 100 bytes/,
  },
  {
    name: 'a ZIP file',
    content: Buffer.concat([zip, Buffer.alloc(50, 'x')]),
    kind: 'not_a_sheet',
    line: null,
    message: /damaged workbook or another kind of archive/,
  },
  {
    name: 'a gzip file',
    content: Buffer.from('1f8b0800', 'hex'),
    kind: 'not_a_sheet',
    line: null,
    message: /gzip/,
  },
  {
    name: 'a Windows program',
    content: Buffer.from('4d5a90000300', 'hex'),
    kind: 'not_a_sheet',
    line: null,
    message: /program/,
  },
  {
    name: 'a Linux program',
    content: Buffer.from('7f454c46', 'hex'),
    kind: 'not_a_sheet',
    line: null,
    message: /program/,
  },
  { name: 'a PDF', content: '%PDF-1.7', kind: 'not_a_sheet', line: null, message: /PDF/ },
  {
    name: 'a web page saved as .xls',
    content:
      '<html>\n<head></head>\n<body>\n<table>\n<tr><td>a</td></tr>\n</table>\n</body>\n</html>',
    kind: 'not_a_sheet',
    line: null,
    message: /web page/,
  },
  {
    name: 'a table of a web page, in UTF-16',
    content: Buffer.from('\ufeff\n<table border="1">\n<tr><td>a</td></tr>\n</table>', 'utf16le'),
    kind: 'not_a_sheet',
    line: null,
    message: /web page/,
  },
  {
    name: 'a workbook in XML',
    content: '<?xml version="1.0"?>\n<Workbook>\n<Worksheet/>\n</Workbook>',
    kind: 'not_a_sheet',
    line: null,
    message: /XML/,
  },
  {
    name: 'an RTF document',
    content: '{\\rtf1\\ansi\na\\par\n}',
    kind: 'not_a_sheet',
    line: null,
    message: /RTF/,
  },
  {
    name: 'a PNG',
    content: Buffer.from('89504e470d0a1a0a', 'hex'),
    kind: 'not_a_sheet',
    line: null,
    message: /image/,
  },
  {
    name: 'a JPEG',
    content: Buffer.from('ffd8ffe0', 'hex'),
    kind: 'not_a_sheet',
    line: null,
    message: /image/,
  },
  {
    name: 'an old Excel file',
    content: Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    kind: 'not_a_sheet',
    line: null,
    message: /Excel/,
  },
  {
    name: 'only NUL bytes',
    content: Buffer.alloc(90_000),
    kind: 'not_a_sheet',
    line: null,
    message: /nor a text file/,
  },
];

describe('importing a file', () => {
  it.each(refused)('refuses $name', async ({ content, kind, line, message }) => {
    const refusal = await refusalOf(importContent(content, { limits: small }));
    expect(refusal).toMatchObject({ kind, line });
    expect(refusal.message).toMatch(message);
  });

  it.each(['PK,name\n1,2\n', 'MZ,name\n1,2\n'])(
    'accepts %j, which only starts like a program',
    async (content) => {
      expect((await importContent(content)).rows).toEqual([['1', '2']]);
    },
  );

  it('stores short rows under many columns without their empty cells', async () => {
    const content = `sep=,\n${'a,'.repeat(99)}a\n${'1\n'.repeat(2000)}`;
    const { sheet, rows } = await importContent(content);
    expect(rows[1999]).toEqual(['1', ...Array(99).fill('')]);
    expect(sheet.offsets.at(-1)).toBeLessThan(5 * content.length);
    expect(sheet.sample[0]).toHaveLength(100);
  });

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

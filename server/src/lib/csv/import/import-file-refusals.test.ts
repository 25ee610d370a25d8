import { describe, expect, it } from 'vitest';
import { importContent, refusalOf } from '../../../../harness/test-sheet.ts';

const zip = Buffer.from('504b0304', 'hex');
const small = { rows: 3, columns: 4, recordBytes: 100, cellBytes: 50, bytes: 100_000 };
const refused: [
  name: string,
  content: string | Buffer,
  kind: string,
  line: number | null,
  message: RegExp,
][] = [
  ['an empty file', '', 'unreadable', null, /^The file has no rows\.$/],
  ['a header without rows', 'a,b\n', 'unreadable', null, /^The file has no rows below/],
  ['only line ends', '\n\n', 'unreadable', null, /no rows/],
  ['only a byte order mark', '\ufeff', 'unreadable', null, /no rows/],
  ['too many bytes', 'x'.repeat(100_001), 'too_large', null, /more than 100,000 bytes/],
  [
    'too many rows',
    'a,b\n"1\n",2\n1,2\n1,2\n1,2\n',
    'too_large',
    6,
    /^Line 6: more than 3 rows\.$/,
  ],
  ['too many columns', 'a,b\n1,2\n1,2,3,4,5\n', 'too_large', 3, /^Line 3: more than 4 columns/],
  ['too many columns after quotes', 'a,b\n"1",2,3,4,5\n', 'too_large', 2, /more than 4 columns/],
  ['a million commas', ','.repeat(90_000), 'too_large', 1, /more than (4 columns|100 bytes)/],
  [
    'a long cell',
    `a,b\n1,${'x'.repeat(51)}\n`,
    'too_large',
    2,
    /cell in “b” has more than 50 bytes/,
  ],
  ['a long cell of wide characters', `a,b\n1,${'日'.repeat(17)}\n`, 'too_large', 2, /“b”/],
  [
    'a long record',
    `a,b,c\n${'x'.repeat(33)},${'x'.repeat(33)},${'x'.repeat(33)}\n`,
    'too_large',
    2,
    /record has more than 100 bytes/,
  ],
  ['a long record without a line end', `a\n${'x'.repeat(101)}`, 'too_large', 2, /record/],
  ['too many empty lines', `a\n${'\n'.repeat(4)}`, 'too_large', 5, /more than 3 empty lines/],
  [
    'a quote that is never closed',
    'a,b\n1,2\n3,"x\ny\n',
    'unreadable',
    3,
    /^Line 3: the quote that opens here is never closed/,
  ],
  [
    'a quote on a later line that is never closed',
    'a,b\n"x\ny","z\n',
    'unreadable',
    3,
    /never closed/,
  ],
  [
    'a quote still open past the limit',
    `a,b\n1,"x\n${'y\n'.repeat(60)}`,
    'unreadable',
    2,
    /not closed within|never closed/,
  ],
  [
    'a quote that closes past the limit',
    `a,b\n1,"${'y'.repeat(101)}",2\n`,
    'unreadable',
    2,
    /not closed within 100 bytes/,
  ],
  [
    'a ZIP file',
    Buffer.concat([zip, Buffer.alloc(50, 'x')]),
    'not_a_sheet',
    null,
    /damaged workbook or another kind of archive/,
  ],
  ['a gzip file', Buffer.from('1f8b0800', 'hex'), 'not_a_sheet', null, /gzip/],
  ['a Windows program', Buffer.from('4d5a90000300', 'hex'), 'not_a_sheet', null, /program/],
  ['a Linux program', Buffer.from('7f454c46', 'hex'), 'not_a_sheet', null, /program/],
  ['a PDF', '%PDF-1.7', 'not_a_sheet', null, /PDF/],
  [
    'a web page saved as .xls',
    '<html>\n<head></head>\n<body>\n<table>\n<tr><td>a</td></tr>\n</table>\n</body>\n</html>',
    'not_a_sheet',
    null,
    /web page/,
  ],
  [
    'a table of a web page, in UTF-16',
    Buffer.from('\ufeff\n<table border="1">\n<tr><td>a</td></tr>\n</table>', 'utf16le'),
    'not_a_sheet',
    null,
    /web page/,
  ],
  [
    'a workbook in XML',
    '<?xml version="1.0"?>\n<Workbook>\n<Worksheet/>\n</Workbook>',
    'not_a_sheet',
    null,
    /XML/,
  ],
  ['an RTF document', '{\\rtf1\\ansi\na\\par\n}', 'not_a_sheet', null, /RTF/],
  ['a PNG', Buffer.from('89504e470d0a1a0a', 'hex'), 'not_a_sheet', null, /image/],
  ['a JPEG', Buffer.from('ffd8ffe0', 'hex'), 'not_a_sheet', null, /image/],
  ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'not_a_sheet', null, /Excel/],
  ['only NUL bytes', Buffer.alloc(90_000), 'not_a_sheet', null, /nor a text file/],
];

describe('importing a file', () => {
  it.each(refused)('refuses %s', async (_, content, kind, line, message) => {
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

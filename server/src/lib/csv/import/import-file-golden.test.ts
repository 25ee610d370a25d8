import { describe, expect, it } from 'vitest';
import { importContent } from '../../../../harness/test-sheet.ts';

const header = ['name', 'city', 'prompt'];
const body = [
  ['Zoë', 'Köln', 'Say “hi”, then go; now | or\tlater'],
  ['Ōe', '東京', 'two\nlines'],
  ['', 'a "quoted" word', '  spaces  '],
];
const bareBody = [
  ['Zoë', 'Köln', 'one'],
  ['Ōe', '東京', ''],
];

const encodings: Record<string, { encoding: string; encode(text: string): Buffer }> = {
  'UTF-8': { encoding: 'utf-8', encode: (text) => Buffer.from(text) },
  'UTF-8 with mark': { encoding: 'utf-8', encode: (text) => Buffer.from(`\ufeff${text}`) },
  'UTF-16LE with mark': {
    encoding: 'utf-16le',
    encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  },
  'UTF-16BE with mark': {
    encoding: 'utf-16be',
    encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  },
  'UTF-16LE bare': { encoding: 'utf-16le', encode: (text) => Buffer.from(text, 'utf16le') },
  'UTF-16BE bare': {
    encoding: 'utf-16be',
    encode: (text) => Buffer.from(text, 'utf16le').swap16(),
  },
};
const delimiters = { comma: ',', semicolon: ';', tab: '\t', bar: '|' };
const lineEnds = { LF: '\n', CRLF: '\r\n', CR: '\r' };
const styles = {
  'all quoted': { rows: body, quote: (cell: string) => `"${cell.replaceAll('"', '""')}"` },
  'none quoted': { rows: bareBody, quote: (cell: string) => cell },
};

const cases = Object.entries(encodings).flatMap(([encodingName, encoding]) =>
  Object.entries(delimiters).flatMap(([delimiterName, delimiter]) =>
    Object.entries(lineEnds).flatMap(([endName, end]) =>
      Object.entries(styles).map(([styleName, style]) => ({
        name: `${encodingName}, ${delimiterName}, ${endName}, ${styleName}`,
        encoding,
        delimiter,
        end,
        style,
      })),
    ),
  ),
);

describe('reading a sheet exactly', () => {
  it.each(cases)(
    'with $name',
    async ({ encoding: { encoding, encode }, delimiter, end, style }) => {
      const text = [header, ...style.rows]
        .map((cells) => cells.map(style.quote).join(delimiter) + end)
        .join('');
      const { sheet, rows } = await importContent(encode(text));
      expect(rows).toEqual(style.rows);
      expect(sheet).toMatchObject({
        dialect: { encoding, delimiter, header: true },
        isSure: true,
        candidates: [],
        columns: header,
        rows: style.rows.length,
        report: { problems: [], total: 0 },
      });
    },
  );
});

const head = 'name,prompt\n';
const bytes = (text: string, hex: string) =>
  Buffer.concat([Buffer.from(text), Buffer.from(hex.replaceAll(' ', ''), 'hex')]);
const latin = `${head}Zo\xeb,caf\xe9 cr\xe8me\nJ\xfcrgen,Stra\xdfe \x80 5\n`;
const legacy: [encoding: string, content: Buffer, row: string[] | null][] = [
  ['windows-1252', Buffer.from(latin, 'latin1'), ['Zoë', 'café crème']],
  ['shift_jis', bytes(head, '93fa967b 2c 82b182f182c982bf82cd 0a'), ['日本', 'こんにちは']],
  ['gb18030', bytes(head, 'd6d0b9fa 2c c4e3bac3cac0bde7 0a'), ['中国', '你好世界']],
  ['windows-1251', bytes(head, 'cff0e8e2e5f2 2c cae0ea 20 e4e5ebe0 0a'), ['Привет', 'Как дела']],
  ['iso-8859-2', bytes(head, 'b377e96b 2c 67ea b66c b1 20 b36f b6 0a'), null],
  ['utf-8', bytes(`${head}Zoë,Ünïcödé çà et là, écrit\n`, '61ff62 0a'), null],
];

describe('a legacy encoding', () => {
  it.each(legacy)('%s needs confirmation', async (encoding, content, row) => {
    const { sheet, rows } = await importContent(content);
    expect(sheet.isSure).toBe(false);
    expect(sheet.candidates.length).toBeLessThanOrEqual(5);
    expect(sheet.candidates.map((candidate) => candidate.encoding)).toContain(encoding);
    if (row) expect(sheet.dialect.encoding).toBe(encoding);
    if (row) expect(rows[0]).toEqual(row);
    if (row) expect(sheet.candidates[0]).toMatchObject({ encoding, delimiter: ',' });
  });

  it.each(legacy.filter(([, , row]) => row))(
    '%s needs no confirmation once chosen',
    async (encoding, content, row) => {
      const { sheet, rows } = await importContent(content, { dialect: { encoding } });
      expect(sheet).toMatchObject({
        isSure: true,
        candidates: [],
        dialect: { encoding },
        report: { total: 0 },
      });
      expect(rows[0]).toEqual(row);
    },
  );

  it('shows the rows that look different, however far down they are', async () => {
    const plain = `name,prompt\n${'Anna,Write a word\n'.repeat(50_000)}`;
    const { sheet, rows } = await importContent(
      Buffer.concat([Buffer.from(plain), Buffer.from('Zo\xeb,cr\xe8me\n', 'latin1')]),
    );
    expect(sheet.rows).toBe(50_001);
    expect(rows.at(-1)).toEqual(['Zoë', 'crème']);
    expect(sheet.candidates[0]).toMatchObject({
      encoding: 'windows-1252',
      delimiter: ',',
      worksheet: null,
      sample: expect.arrayContaining([['crème']]),
    });
  });

  it('reports characters that a chosen encoding cannot read', async () => {
    const { sheet, rows } = await importContent(
      Buffer.from('name,prompt\nAnna,x\nZo\xeb,y\n', 'latin1'),
      {
        dialect: { encoding: 'utf-8' },
      },
    );
    expect(rows[1]).toEqual(['Zo\ufffd', 'y']);
    expect(sheet.isSure).toBe(true);
    expect(sheet.report.problems).toMatchObject([
      { line: 3, column: 'name', kind: 'broken_character' },
    ]);
  });

  it('reads a character that is split between two chunks', async () => {
    const content = `a,b\n${'x'.repeat(3)}${'é,日本\n'.repeat(200_000)}`;
    const { sheet, rows } = await importContent(content);
    expect(sheet).toMatchObject({ isSure: true, rows: 200_000, report: { total: 0 } });
    expect(new Set(rows.slice(1).map((cells) => cells.join()))).toEqual(new Set(['é,日本']));
  });
});

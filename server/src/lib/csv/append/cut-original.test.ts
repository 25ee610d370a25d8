import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importContent } from '../../../../harness/test-sheet.ts';
import type { Dialect } from '../sheet.ts';
import { cutOriginal } from './cut-original.ts';
import { encoderFor } from './encode-text.ts';

interface Added {
  bytes: Buffer;
  /** The file again, of the same pieces without what was added. */
  stripped: Buffer;
}

/** Adds its row's number to each record of a file that arrives in pieces of these sizes. */
async function addCells(
  file: Buffer,
  { dialect, rows, sizes = [] }: { dialect: Dialect; rows: number; sizes?: readonly number[] },
): Promise<Added> {
  async function* chunks() {
    let at = 0;
    for (const size of sizes) {
      yield file.subarray(at, at + size);
      at += size;
    }
    yield file.subarray(at);
  }
  const encode = encoderFor(dialect.encoding);
  const { pieces } = await cutOriginal(chunks(), { dialect, rows, keepsRepeatedHeaders: false });
  const [bytes, stripped]: [Buffer[], Buffer[]] = [[], []];
  for await (const some of pieces)
    for (const piece of some) {
      stripped.push(piece.bytes);
      const cell = { header: 'Added', further_header: '', row: `No ${piece.row}`, left_out: null };
      const text = cell[piece.kind];
      const added =
        text === null ? '' : dialect.delimiter.repeat(Math.max(0, piece.missing) + 1) + text;
      bytes.push(piece.bytes, encode?.(added).bytes ?? Buffer.alloc(0));
    }
  return { bytes: Buffer.concat(bytes), stripped: Buffer.concat(stripped) };
}

const plain = { skip_rows: 0, header_rows: 1, comment: '', trim: false, quote: '"' } as const;

async function expectAnswersInTheirRows(
  file: Buffer,
  chosen: Partial<Dialect>,
  sizes: readonly number[] = [],
): Promise<void> {
  const before = await importContent(file, { dialect: chosen });
  const { dialect, rows } = before.sheet;
  const { bytes, stripped } = await addCells(file, { dialect, rows, sizes });
  expect(stripped.equals(file)).toBe(true);
  const after = await importContent(bytes, {
    dialect: { ...dialect, layout: { ...plain, ...dialect.layout } },
  });
  expect(after.rows).toHaveLength(before.rows.length);
  const isRagged = before.sheet.report.problems.some(({ kind }) =>
    /ragged|width|surplus/.test(kind),
  );
  for (const [row, cells] of after.rows.entries()) {
    expect(cells.at(-1)?.endsWith(`No ${row}`)).toBe(true);
    const own = before.rows[row] ?? [];
    if (!isRagged && !isWideBlank(own, dialect.delimiter)) expect(cells.slice(0, -1)).toEqual(own);
  }
}

/** A blank row with too many cells is not reported as ragged, although its last ones are joined. */
function isWideBlank(cells: readonly string[], delimiter: string): boolean {
  const text = cells.join('');
  return text.includes(delimiter) && text.replaceAll(delimiter, '').trim() === '';
}

const files: [name: string, content: string | Buffer, dialect?: Partial<Dialect>][] = [
  ['Windows line ends and no last one', 'a,b\r\n1,2\r\n3,4'],
  ['line ends of old Macs', 'a,b\r1,2\r3,4\r'],
  ['mixed line ends and empty lines', '\n\na,b\r\n\r\n1,2\n\n3,4\r\r\n\n'],
  ['line ends, delimiters and quotes within cells', 'a,b\n"x\r\ny\rz","1,""2"""\n5" x,6\n'],
  ['a sep= line', 'sep=;\r\na;b\r\n1,5;2\r\n'],
  ['titles, comments and a repeated header', 'Report\n#x\na,b,c\nd,e,1\n#y\na,b,c\nf,g,2\n'],
  ['two header rows', 'S,,C,\ny5,y6,y5,y6\n1,2,3,4\n5,6,7,8\n9,1,2,3\n'],
  ['rows that are too short', 'a,b,c\n1\n2,3\n4,5,6\n'],
  ['apostrophes as quotes', "name,text\n'a','b, won''t c'\n'd','e\n'\n'f','g'\n"],
  ['spaces behind delimiters', 'name, text, n\na, "b, c", 1\nd, "e", 2\nf, "g", 3\n'],
  ['NUL characters', 'some,names\n"first\n\n",second\r\0\nthird,\u0000fourth\nfifth,sixth\n\0'],
  ['an end mark of DOS', 'a,b\r\n1,2\r\n3,4\r\n\x1a'],
  ['a mark of UTF-8', '\ufeffa,b\nZoë,日本\n'],
  ['UTF-16 with a mark', Buffer.from('\ufeffa,b\r\nZoë,ਊ日\r\n', 'utf16le')],
  ['UTF-16 of the other order', Buffer.from('\ufeffa,b\r\nZoë,ਊ日\r\n', 'utf16le').swap16()],
  [
    'Shift JIS',
    Buffer.from('a|b\n\x93\xfa\x96\x7c|\x83\x7c\n', 'latin1'),
    { encoding: 'shift_jis', delimiter: '|' },
  ],
  ['no header', '1,2\n3,4\n'],
  ['one column', 'word\none\ntwo\n'],
];

describe('cells added to a file', () => {
  it.each(files)(
    'stand in their rows and leave the rest as it was: %s',
    async (_, content, dialect) => {
      const file = Buffer.from(content);
      await expectAnswersInTheirRows(file, dialect ?? {});
      await expectAnswersInTheirRows(file, dialect ?? {}, Array<number>(file.length).fill(1));
    },
  );

  it('are in their rows in any file, wherever it is cut', async () => {
    const part: fc.Arbitrary<string> = fc.constantFrom(
      'a',
      'b',
      '"',
      '""',
      ',',
      '\n',
      '\r',
      '\r\n',
      '\0',
      'é',
      ',"',
      '",',
    );
    const wideBlank = [',', ',"', '\r\n', '",', '\r', ','];
    const texts = fc.array(part, { minLength: 1, maxLength: 60 });
    const sizes = fc.array(fc.nat(8), { maxLength: 60 });
    const encodings = fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'windows-1252');
    let files = 0;
    await fc.assert(
      fc.asyncProperty(
        texts,
        sizes,
        encodings,
        fc.boolean(),
        async (parts, cuts, encoding, header) => {
          const text = encoderFor(encoding)?.(`x,y\n${parts.join('')}`).bytes ?? Buffer.alloc(0);
          const dialect = { encoding, header, delimiter: ',', layout: plain };
          // It looks like UTF-16, and with added cells, which have no NUL bytes, like a program.
          const zeros = text.filter((byte) => byte === 0).length;
          if (!encoding.startsWith('utf-16') && zeros > text.length / 10) return;
          const isRead = await importContent(text, { dialect }).then(
            () => true,
            () => false,
          );
          if (!isRead) return;
          files += 1;
          await expectAnswersInTheirRows(text, dialect, cuts);
        },
      ),
      {
        numRuns: 100,
        examples: [
          [wideBlank, [], 'utf-8', false],
          [['a', '\0', 'a', '\0'], [], 'utf-8', false],
        ],
      },
    );
    expect(files).toBeGreaterThan(20);
  });

  it('stand behind an end mark that was imported as a row', async () => {
    const file = Buffer.from('word\none\n\x1a');
    const { sheet } = await importContent(file);
    const { bytes } = await addCells(file, { dialect: sheet.dialect, rows: sheet.rows + 1 });
    expect(bytes.toString()).toBe('word,Added\none,No 0\n\x1a,No 1');
  });

  it('stay in their rows beyond the part of a file that is planned with', async () => {
    const row = (at: number) => `${at};"text of ${at}\nin two lines";${'é'.repeat(at % 50)}\n`;
    const content = `no;text;more\n${Array.from({ length: 5000 }, (_, at) => row(at)).join('')}`;
    await expectAnswersInTheirRows(Buffer.from(content), {}, Array<number>(20).fill(9973));
  });

  it('stand behind empty cells that are no columns, in the same rows', async () => {
    const lines = ['a,b', '1,x', '', 'a,b', '2,y,z', ''];
    const file = Buffer.from(lines.map((line) => `${line}${','.repeat(300)}\n`).join(''));
    const { sheet, rows } = await importContent(file);
    expect(sheet.columns).toEqual(['a', 'b', 'Column 3']);
    const { bytes } = await addCells(file, { dialect: sheet.dialect, rows: rows.length });
    const added = bytes.toString().trimEnd().split('\n');
    const header = `a,b${','.repeat(301)}Added`;
    expect(added.filter((line) => line === header)).toHaveLength(2);
    const ofRows = added.filter((line) => line !== header);
    expect(ofRows.map((line) => line.replace(/,+No /, ' No '))).toEqual(
      rows.map((cells, row) => `${cells.join(',').replace(/,+$/, '')} No ${row}`),
    );
  });
});

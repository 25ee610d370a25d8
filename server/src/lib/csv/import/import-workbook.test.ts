import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { importContent, refusalOf } from '../../../../harness/test-sheet.ts';
import { textRow, workbookOf, zipOf } from '../../../../harness/test-workbook.ts';

const people = textRow('Name', 'City') + textRow('Ada', 'London') + textRow('Zoë', '東京');
const row = (cells: string, number = 1) => `<row r="${number}">${cells}</row>`;

describe('a workbook', () => {
  it('becomes a sheet like any other', async () => {
    const { sheet, rows } = await importContent(await workbookOf({ sheets: { People: people } }));
    expect(rows).toEqual([
      ['Ada', 'London'],
      ['Zoë', '東京'],
    ]);
    expect(sheet).toMatchObject({
      dialect: { header: true, layout: { format: 'workbook', worksheet: 0 } },
      isSure: true,
      candidates: [],
      worksheets: [{ name: 'People', hidden: false, filled: true }],
      columns: ['Name', 'City'],
      report: { total: 0 },
    });
  });

  it.each([
    ['iso-8859-1', Buffer.from('Zoë', 'latin1')],
    // What a program declares that writes a text as UTF-8.
    ['utf-16', Buffer.from('Zoë')],
  ])('is read in the encoding that its XML declares: %s', async (encoding, name) => {
    const [before = '', after = ''] = (textRow('Name') + textRow('|')).split('|');
    const start = `<?xml version="1.0" encoding="${encoding}"?><worksheet><sheetData>${before}`;
    const part = Buffer.concat([
      Buffer.from(start),
      name,
      Buffer.from(`${after}</sheetData></worksheet>`),
    ]);
    const content = await workbookOf({
      sheets: { A: '' },
      parts: { 'xl/worksheets/sheet1.xml': part },
    });
    expect((await importContent(content)).rows).toEqual([['Zoë']]);
  });

  it('loses titles above its table, whatever they begin with', async () => {
    const cities = textRow('Ada', 'London', '4') + textRow('Zoë', 'Paris', '12');
    const sheet = textRow('# Report of May') + textRow('Name', 'City', 'Orders') + cities;
    const imported = await importContent(await workbookOf({ sheets: { May: sheet } }));
    expect(imported.sheet).toMatchObject({
      columns: ['Name', 'City', 'Orders'],
      dialect: { layout: { skip_rows: 1 } },
    });
    expect(imported.rows).toHaveLength(2);
  });

  it('is not refused for a cover of one line before its table', async () => {
    const sheets = { Cover: textRow('Report of May'), People: people, Empty: textRow('Name') };
    const { sheet, rows } = await importContent(await workbookOf({ sheets }));
    expect(sheet).toMatchObject({ isSure: true, dialect: { layout: { worksheet: 1 } } });
    expect(sheet.worksheets.map(({ filled }) => filled)).toEqual([true, true, true]);
    expect(rows).toHaveLength(2);
  });

  it('says which rows are blank', async () => {
    const content = await workbookOf({ sheets: { A: people + row('<c t="str"><v> </v></c>', 7) } });
    const { sheet } = await importContent(content);
    expect(sheet.report.problems).toMatchObject([{ kind: 'blank_row', line: 7 }]);
  });

  it('has no column for a blank cell far beyond the allowed ones', async () => {
    const far = '<c r="A7" t="str"><v>Eve</v></c><c r="ZZ7" t="str"><v> </v></c>';
    const content = await workbookOf({ sheets: { A: people + row(far, 7) } });
    const { sheet, rows } = await importContent(content, { limits: { columns: 2 } });
    expect(sheet.columns).toEqual(['Name', 'City']);
    expect(rows.at(-1)).toEqual(['Eve', '']);
  });

  it('may begin its shared texts with an empty one', async () => {
    const cells = '<c t="s"><v>1</v></c><c t="s"><v>0</v></c><c t="s"><v>2</v></c>';
    const content = await workbookOf({
      sheets: { A: textRow('Name', 'Note', 'City') + row(cells, 2) },
      strings: '<si><t/></si><si><t>Ada</t></si><si><t>London</t></si>',
    });
    expect((await importContent(content)).rows).toEqual([['Ada', '', 'London']]);
  });

  it('loses characters that no database stores, and the ends of long names', async () => {
    const name = 'N'.repeat(1_000);
    const { sheet, rows } = await importContent(
      await workbookOf({
        sheets: { [name]: textRow('_x0000_Name', '_xD83D__xDE00_') + textRow('_xD800_Ada', '') },
      }),
    );
    expect(sheet.columns).toEqual(['Name', '😀']);
    expect(rows).toEqual([['\ufffdAda', '']]);
    expect(sheet.worksheets[0]?.name).toBe(name.slice(0, 100));
  });

  it('with several filled sheets asks which one, and reads the one that is chosen', async () => {
    const content = await workbookOf({
      sheets: { Empty: '', Secret: people, First: textRow('A') + textRow('1st'), People: people },
      hidden: ['Secret'],
    });
    const { sheet } = await importContent(content);
    expect(sheet).toMatchObject({ isSure: false, columns: ['A'] });
    expect(sheet.candidates.map(({ worksheet, sample }) => [worksheet, sample[0]])).toEqual([
      [2, ['A']],
      [3, ['Name', 'City']],
    ]);
    expect(sheet.worksheets.map(({ hidden, filled }) => [hidden, filled])).toEqual([
      [false, false],
      [true, true],
      [false, true],
      [false, true],
    ]);
    const chosen = await importContent(content, { dialect: { layout: { worksheet: 3 } } });
    expect(chosen.sheet).toMatchObject({ isSure: true, columns: ['Name', 'City'], rows: 2 });
  });

  it('holds little of each sheet while it reads the others', async () => {
    const long = textRow('x'.repeat(30_000)).repeat(5);
    const { sheet } = await importContent(await workbookOf({ sheets: { A: long, B: long } }));
    expect(sheet.candidates.map(({ sample }) => sample.length)).toEqual([3, 3]);
  });

  it('keeps rows of any width, leaves out rows without text and counts what a table cannot show', async () => {
    const { sheet, rows } = await importContent(
      await workbookOf({
        sheets: {
          A: `${row('<c r="A1" t="str"><v>Name</v></c>')}${row('<c r="A3" s="1"/>', 3)}${row('<c r="A5" t="str"><v>Ada</v></c><c r="C5"><v>3</v></c>', 5)}${row('<c r="B6"><f>1+1</f></c><c r="A6" t="str"><v>Bob</v></c>', 6)}</sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells><sheetData>`,
        },
      }),
    );
    expect(sheet.columns).toEqual(['Name', 'Column 2', 'Column 3']);
    expect(rows).toEqual([
      ['Ada', '', '3'],
      ['Bob', '', ''],
    ]);
    expect(sheet.sample).toEqual(rows);
    expect(sheet.report.problems.map(({ kind, line }) => [kind, line])).toEqual([
      ['merged', null],
      ['no_result', 6],
    ]);
  });
});

const formats = 'm/d/yy|0.00%|#,##0.00|@|d-mmm-yy|[h]:mm|0000|[broken'.split('|');
formats.push('0'.repeat(256));
const stylesOf = (codes: readonly string[]) =>
  `<numFmts>${codes.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${codes.map((_, index) => `<xf numFmtId="${200 + index}"/>`).join('')}${[14, 22, 31, 32].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`;
const styles = stylesOf(formats);
const strings =
  '<si><t>plain</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh sb="0" eb="1"><t>sound</t></rPh></si><si><t xml:space="preserve"> a_x000D_\n_x005F_x0041_ </t></si>';

describe('a cell shows', () => {
  it.each([
    ['a shared text', '<c t="s"><v>0</v></c>', 'plain'],
    ['a rich text without its sound', '<c t="s"><v>1</v></c>', 'rich text'],
    ['escaped characters', '<c t="s"><v>2</v></c>', ' a\n_x0041_ '],
    ['an inline text', '<c t="inlineStr"><is><t>here &amp; &#233;</t></is></c>', 'here & é'],
    [
      'a text with unescaped parts',
      '<c t="inlineStr"><is><t>a <![CDATA[<b> & c]]></t></is></c>',
      'a <b> & c',
    ],
    ['the text of a formula', '<c t="str"><f>A1</f><v>made</v></c>', 'made'],
    ['a truth', '<c t="b"><v>1</v></c>', 'TRUE'],
    ['an error', '<c t="e"><v>#DIV/0!</v></c>', '#DIV/0!'],
    ['a number', '<c><v>0.1</v></c>', '0.1'],
    ['a sum without its error', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['all digits of an amount', '<c><v>999999999.99</v></c>', '999999999.99'],
    ['all digits of a coordinate', '<c><v>52.520006591234</v></c>', '52.520006591234'],
    ['a tiny number', '<c><v>1.5E-9</v></c>', '1.5E-09'],
    ['a date of a Japanese workbook', '<c s="12"><v>45292</v></c>', '2024-01-01'],
    ['a time of a Japanese workbook', '<c s="13"><v>0.375</v></c>', '9:00:00'],
    ['all digits of a long number', '<c><v>4006381333931</v></c>', '4006381333931'],
    ['a date', '<c s="1"><v>41000</v></c>', '4/1/12'],
    ['a date in the format of its reader’s country', '<c s="10"><v>41000</v></c>', '2012-04-01'],
    ['a date and time in it', '<c s="11"><v>41000.375</v></c>', '2012-04-01 09:00'],
    ['a date in words', '<c s="5"><v>41000</v></c>', '1-Apr-12'],
    ['a date before the calendar as its number', '<c s="1"><v>-1</v></c>', '-1'],
    ['a date that is written out', '<c t="d" s="1"><v>2012-04-01T00:00:00</v></c>', '4/1/12'],
    ['hours over a day', '<c s="6"><v>1.5</v></c>', '36:00'],
    ['hours below zero', '<c s="6"><v>-1.2</v></c>', '-28:48'],
    ['a share', '<c s="2"><v>0.1234</v></c>', '12.34%'],
    ['thousands', '<c s="3"><v>1234.5</v></c>', '1,234.50'],
    ['leading zeros', '<c s="7"><v>42</v></c>', '0042'],
    ['the value of a broken format', '<c s="8"><v>42.5</v></c>', '42.5'],
    ['the value of a format that is longer than Excel allows', '<c s="9"><v>42.5</v></c>', '42.5'],
    ['nothing for an unknown text', '<c t="s"><v>99</v></c>', ''],
  ])('%s', async (_, cell, shown) => {
    const data = row(`<c t="str"><v>Head</v></c>${cell.replace('<c', '<c r="B1"')}`);
    const content = await workbookOf({ sheets: { A: data }, strings, styles });
    const { rows } = await importContent(content, { dialect: { header: false } });
    expect(rows[0]?.[1] ?? '').toBe(shown);
  });

  it.each([
    ['@', '4006381333931', '4006381333931'],
    ['[Red]General', '4006381333931', '4006381333931'],
    ['0.00;General" km"', '-52.520006591234', '52.520006591234 km'],
    ['[$-407]General_)', '-4006381333931', '-4006381333931 '],
    ['General%', '0.5', '0.5'],
    ['#,##0 [$€-407]', '1234', '1,234 €'],
    ['[$R$-416] #,##0.00', '-1234.5', '-R$ 1,234.50'],
    ['[$-407]#,##0.00', '1234.5', '1,234.50'],
    ['[$-407]d. mmmm yyyy', '45000', '15. März 2023'],
    ['0.00', '1.005', '1.01'],
    ['0.00;(0.00)', '-1.005', '(1.01)'],
    ['0.00', '1.00499999999999', '1.00'],
    ['0.0%', '0.0055', '0.6%'],
    ['0.##########', '12345678.95', '12345678.95'],
    ['0', '4111111111111111', '4111111111111111'],
    ['[=0.5]"half";0', '0.5', 'half'],
    ['yyyy-mm-dd hh:mm', '45000.99999999994', '2023-03-16 00:00'],
    ['yyyy-mm-dd hh:mm:ss', '45000.999995', '2023-03-16 00:00:00'],
    ['yyyy-mm-dd', '45000.999995', '2023-03-15'],
    ['yyyy-mm-dd', '45000.99999999994', '2023-03-16'],
    ['hh:mm:ss.00', '0.9999999', '23:59:59.99'],
    ['hh:mm:ss.0', '45000.9999999', '00:00:00.0'],
    ['[h]:mm:ss', '1.99999999', '48:00:00'],
    ['[h]:mm', '-0.00000000001', '0:00'],
  ])('by %s %s as %s', async (code, value, shown) => {
    const data = row(`<c t="str"><v>Head</v></c><c s="1"><v>${value}</v></c>`);
    const content = await workbookOf({ sheets: { A: data }, styles: stylesOf([code]) });
    const { rows } = await importContent(content, { dialect: { header: false } });
    expect(rows).toEqual([['Head', shown]]);
  });

  it.each([
    ['the same day', 'm/d/yy', '39538', '4/1/12'],
    ['the same hours', '[h]:mm', '1.5', '36:00'],
    ['negative hours', '[h]:mm', '-1.2', '-28:48'],
    ['a negative time', 'h:mm', '-0.5', '-12:00'],
  ])('%s with the calendar of 1904', async (_, code, value, shown) => {
    const content = await workbookOf({
      sheets: { A: row(`<c s="1"><v>${value}</v></c>`) },
      styles: stylesOf([code]),
      date1904: true,
    });
    expect((await importContent(content, { dialect: { header: false } })).rows).toEqual([[shown]]);
  });
});

const bomb = `${textRow('a')}<row><c t="inlineStr"><is><t>${'x'.repeat(9_000_000)}</t></is></c></row>`;

/** Each with some noise: text that packs much better is refused at once. */
const longTexts = Array.from(
  { length: 40 },
  () => `<si><t>${'y'.repeat(3_500_000)}${randomBytes(20_000).toString('hex')}</t></si>`,
).join('');
const longCell = `<c r="A2" t="str"><v>${'x'.repeat(80_000)}</v></c>`;

const only = (sheet: string) => workbookOf({ sheets: { A: sheet } });
const withPart = (path: string, text: string) =>
  workbookOf({ sheets: { A: people }, parts: { [path]: text } });
const externalEntity =
  '<!DOCTYPE sst [<!ENTITY x SYSTEM "file:///etc/passwd">]><sst><si><t>&x;</t></si></sst>';
const manyParts = Array.from({ length: 10_001 }, (_, number) => [`${number}`, '']);
const cut = async () => (await only(people)).subarray(0, 500);

const refused: Record<string, [when: string, content: Promise<Buffer>, message: RegExp][]> = {
  too_large: [
    ['it unpacks to far more than it is', only(bomb), /unpacks to far more data/],
    ['it has too many parts', zipOf(Object.fromEntries(manyParts)), /unpacks to far more data/],
    [
      'the shared texts take too much memory',
      workbookOf({ sheets: { A: people }, strings: longTexts }),
      /unpacks to far more data/,
    ],
    [
      'a cell is written again and again',
      only(textRow('a') + row(longCell.repeat(4), 2)),
      /more than 262,144 bytes/,
    ],
  ],
  unreadable: [
    ['it refers to other files', withPart('xl/sharedStrings.xml', externalEntity), /outside it/],
    ['a sheet is broken', only(`${textRow('a')}<row><c>`), /damaged/],
    ['a column is out of range', only('<row><c r="ZZZZ1"><v>1</v></c></row>'), /damaged/],
    ['elements are nested without end', only('<row>'.repeat(100)), /damaged/],
    ['all sheets are empty', workbookOf({ sheets: { A: '', B: '<row/>' } }), /no sheet with rows/],
    ['it has a header only', only(textRow('a', 'b')), /no rows/],
    [
      'a part has no path',
      withPart(
        'xl/_rels/workbook.xml.rels',
        '<a><Relationship Id="rId1" Type="x" Target="%ff"/></a>',
      ),
      /damaged/,
    ],
  ],
  not_a_sheet: [
    ['it is another archive', zipOf({ 'a.csv': 'a,b' }), /ZIP archive/],
    ['it is an OpenDocument file', zipOf({ 'content.xml': '<a/>' }), /OpenDocument/],
    ['it is a binary workbook', zipOf({ 'xl/workbook.bin': '' }), /binary workbook/],
    [
      'it is another document',
      zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '' }),
      /Office document/,
    ],
    ['the archive is cut', cut(), /damaged/],
  ],
};

describe.each(Object.entries(refused))('a workbook is refused as %s', (kind, cases) => {
  it.each(cases)('when %s', async (_, content, message) => {
    const refusal = await refusalOf(importContent(await content));
    expect(refusal).toMatchObject({ kind, message: expect.stringMatching(message) });
  });
});

describe('a workbook is refused', () => {
  it.each([
    ['rows', { rows: 1 }, /more than 1 rows/],
    ['columns', { columns: 1 }, /more than 1 columns/],
    ['bytes in a row', { recordBytes: 5 }, /more than 5 bytes/],
    ['bytes in a cell', { cellBytes: 4 }, /more than 4 bytes/],
  ])('with more than the allowed %s', async (_, limits, message) => {
    const content = await workbookOf({ sheets: { A: people } });
    expect(await refusalOf(importContent(content, { limits }))).toMatchObject({
      kind: 'too_large',
      message: expect.stringMatching(message),
    });
  });
});

import { describe, expect, it } from 'vitest';
import { importContent, refusalOf } from '../../../../harness/test-sheet.ts';

/** Columns and each row with a bar between their cells. */
const shapes: [name: string, content: string, columns: string, rows: string[], isSure?: boolean][] =
  [
    ['a last line without a line end', 'a,b\n1,2', 'a|b', ['1|2']],
    ['a quoted last cell without a line end', 'a,b\nx,"y"', 'a|b', ['x|y']],
    ['an end mark of DOS', 'a,b\r\n1,2\r\n\x1a', 'a|b', ['1|2']],
    ['an empty last cell', 'a,b\nx,', 'a|b', ['x|']],
    ['an empty last cell after quotes', 'a,b\n"x",', 'a|b', ['x|']],
    ['a sep= line', 'sep=;\r\na;b\r\n1,5;2\r\n', 'a|b', ['1,5|2']],
    ['a sep= line that contradicts the rows', 'sep=|\na,b|c\n1,2|3\n', 'a,b|c', ['1,2|3']],
    ['mixed line ends', 'a,b\r1,2\n3,4\r\n', 'a|b', ['1|2', '3|4']],
    ['line ends within quotes', 'a,b\n"x\r\ny\rz",2\n', 'a|b', ['x\r\ny\rz|2']],
    ['numbers without a header', '1,2\n3,4\n', 'Column 1|Column 2', ['1|2', '3|4']],
    [
      'an address in the first row',
      'Al,a@b.org\nBo,c@d.org\n',
      'Column 1|Column 2',
      ['Al|a@b.org', 'Bo|c@d.org'],
    ],
    ['one column', 'word\none\ntwo\n', 'word', ['one', 'two']],
    [
      'prompts without a header',
      'Who are you?\nWrite a poem.\n',
      'Prompt',
      ['Who are you?', 'Write a poem.'],
    ],
    [
      'prompts with commas',
      'Who, me?\nWrite, please, a poem.\nGo; now.\n',
      'Prompt',
      ['Who, me?', 'Write, please, a poem.', 'Go; now.'],
    ],
    [
      'a header over prompts with commas',
      'prompt\nWho, me\nWrite, please\n',
      'prompt',
      ['Who, me', 'Write, please'],
    ],
    ['delimiters within quotes', 'a;b\n"1,2,3";x\n"4,5,6";y\n', 'a|b', ['1,2,3|x', '4,5,6|y']],
    [
      'columns named like JavaScript properties',
      '__proto__,constructor,toString\n1,2,3\n',
      '__proto__|constructor|toString',
      ['1|2|3'],
    ],
    ['two delimiters that tie', 'a,b;c\nd,e;f\n', 'a|b;c', ['d|e;f'], false],
    ['an empty row above two columns', ',\na,b\nc,d\n', 'a|b', ['c|d']],
    ['a title and an empty row above two columns', 'Of May,\n,\na,b\nc,d\n', 'a|b', ['c|d']],
    [
      'a title above a column of numbers',
      'Of May,\na,b\nc,1\nd,2\ne,3\n',
      'a|b',
      ['c|1', 'd|2', 'e|3'],
    ],
    ['a second column without a name', 'a,\nc,d\ne,f\n', 'a|Column 2', ['c|d', 'e|f']],
    [
      'a first column without a name',
      ',b\nx,y\nc,1\nd,2\ne,3\n',
      'Column 1|b',
      ['x|y', 'c|1', 'd|2', 'e|3'],
    ],
    [
      'a first value that is unknown below no name',
      'a,\nb,n/a\nc,1\nd,2\ne,3\n',
      'a|Column 2',
      ['b|n/a', 'c|1', 'd|2', 'e|3'],
    ],
    ['a title above the header', 'Report\na,b\nc,d\ne,f\n', 'Report', ['a,b', 'c,d', 'e,f'], false],
  ];

describe('columns and rows of a sheet', () => {
  it.each(shapes)('with %s', async (_, content, columns, rows, isSure = true) => {
    const { sheet, rows: found } = await importContent(content);
    expect([sheet.columns.join('|'), found.map((cells) => cells.join('|')), sheet.isSure]).toEqual([
      columns,
      rows,
      isSure,
    ]);
    expect(sheet.candidates.length > 0).toBe(!isSure);
  });

  it('use the dialect that a person chose', async () => {
    const { sheet, rows } = await importContent('a,b;c\n', {
      dialect: { delimiter: ';', header: false },
    });
    expect(sheet).toMatchObject({
      isSure: true,
      columns: ['Column 1', 'Column 2'],
      dialect: { delimiter: ';', header: false },
    });
    expect(rows).toEqual([['a,b', 'c']]);
  });

  it('offer both delimiters of a tie, with samples', async () => {
    const { sheet } = await importContent('a,b;c\nd,e;f\n');
    expect(sheet.candidates).toEqual([
      {
        encoding: 'utf-8',
        delimiter: ',',
        worksheet: null,
        sample: [
          ['a', 'b;c'],
          ['d', 'e;f'],
        ],
      },
      {
        encoding: 'utf-8',
        delimiter: ';',
        worksheet: null,
        sample: [
          ['a,b', 'c'],
          ['d,e', 'f'],
        ],
      },
    ]);
  });
});

const reported: [
  name: string,
  content: string,
  rows: string[],
  problem: [number | null, string, string | null],
][] = [
  ['too few cells', 'a,b,c\n1,2,3\n4,5\n', ['1|2|3', '4|5|'], [3, 'ragged', null]],
  ['too many cells', 'a,b\n1,2\n3,4,5\n', ['1|2', '3|4,5'], [3, 'ragged', null]],
  ['surplus empty cells', 'a,b\n1,2\n3,4,,\n', ['1|2', '3|4'], [3, 'ragged', null]],
  [
    'column names that differ in the form of an accent alone',
    'Cafe\u0301,Caf\u00e9\n1,2\n',
    ['1|2'],
    [1, 'duplicate_header', 'Caf\u00e9 (2)'],
  ],
  [
    'column names that differ in an invisible character alone',
    'Name,Name\u200b\n1,2\n',
    ['1|2'],
    [1, 'duplicate_header', 'Name\u200b (2)'],
  ],
  ['an invisible column name', 'x,\u200b\n1,2\n', ['1|2'], [1, 'empty_header', 'Column 2']],
  ['duplicate column names', 'x,x,x (2)\n1,2,3\n', ['1|2|3'], [1, 'duplicate_header', 'x (3)']],
  ['a missing column name', 'x,,z\n1,2,3\n', ['1|2|3'], [1, 'empty_header', 'Column 2']],
  ['a quote within a cell', 'a,b\nx,5" y\n', ['x|5" y'], [2, 'stray_quote', 'b']],
  ['text after quotes', 'a,b\n"x" y,z\n', ['"x" y|z'], [2, 'stray_quote', 'a']],
  ['empty lines', 'a,b\n\n1,2\n\n\n3,4\n', ['1|2', '3|4'], [2, 'empty_line', null]],
  ['blank rows', 'a,b\n1,2\n , \n,\n', ['1|2', ' | ', '|'], [3, 'blank_row', null]],
  ['NUL characters', 'a,b\n"1\n\n",2\n3,\u00004\n', ['1\n\n|2', '3|4'], [5, 'nul', null]],
  [
    'line numbers after line ends within quotes',
    'a,b\n"1\r\n2\r3",x\n4\n',
    ['1\r\n2\r3|x', '4|'],
    [5, 'ragged', null],
  ],
];

describe('the import report', () => {
  it.each(reported)('lists %s', async (_, content, rows, problem) => {
    const { sheet, rows: found } = await importContent(content, { dialect: { delimiter: ',' } });
    expect(found.map((cells) => cells.join('|'))).toEqual(rows);
    expect(sheet.report.problems.map(({ line, kind, column }) => [line, kind, column])).toEqual([
      problem,
    ]);
    expect(sheet.report.total).toBe(1);
  });

  it('lists at most 200 problems and counts all', async () => {
    const { sheet } = await importContent(`a,b\n\n${'1,2,3\n'.repeat(500)}${'1,2\n'.repeat(501)}`);
    expect(sheet.report.problems).toHaveLength(200);
    expect(sheet.report.total).toBe(501);
    expect(sheet.report.problems[0]).toMatchObject({
      line: 2,
      kind: 'empty_line',
      message: 'Empty lines skipped: 1.',
    });
  });
});

it.each([
  ['joined to another', '\ufeff"name","city"\n"a, b",x\n\ufeff"c, d",y\n'],
  ['with two byte order marks', '\ufeff\ufeff"name","city"\n"a, b",x\n"c, d",y\n'],
])('leaves out the byte order mark before a record of a file %s', async (_, content) => {
  const { sheet, rows } = await importContent(content);
  expect([sheet.columns, sheet.report.total]).toEqual([['name', 'city'], 0]);
  expect(rows).toEqual([
    ['a, b', 'x'],
    ['c, d', 'y'],
  ]);
});

describe('JSON Lines', () => {
  it('keep the order of columns named like numbers, also behind another byte order mark', async () => {
    const { sheet, rows } = await importContent(
      '{"name":"Zoë \\"1\\": x","2024":1,"2023":2}\n\ufeff{"7":"","2024":3}\n',
    );
    expect(sheet.columns).toEqual(['name', '2024', '2023', '7']);
    expect(rows).toEqual([
      ['Zoë "1": x', '1', '2', ''],
      ['', '3', '', ''],
    ]);
  });

  it('make a column of each key and keep all digits', async () => {
    const { sheet, rows } = await importContent(
      '{"id":12345678901234567890,"name":"Zoë"}\r\n\n{"name":null,"tags":["a",1.50],"ok":true}\n',
    );
    expect(sheet).toMatchObject({
      isSure: true,
      columns: ['id', 'name', 'tags', 'ok'],
      dialect: { header: true, layout: { format: 'json_lines' } },
    });
    expect(rows).toEqual([
      ['12345678901234567890', 'Zoë', '', ''],
      ['', '', '["a",1.50]', 'true'],
    ]);
  });

  it('stores no escaped NUL and no half of a surrogate pair, also not in a column name, and reports them', async () => {
    const content = '{"a\\u0000":"\\u0000b","\\ud800c":"d\\udfff"}\n';
    const { sheet, rows } = await importContent(content);
    expect([sheet.columns, rows]).toEqual([['a', '\ufffdc'], [['b', 'd\ufffd']]]);
    expect(sheet.report.problems).toMatchObject([{ kind: 'nul' }, { kind: 'broken_character' }]);
  });

  it('may begin with a line that is longer than what is looked at first', async () => {
    const long = 'x'.repeat(90_000);
    const { rows } = await importContent(`{"a":"${long}"}\n{"a":"b"}\n`);
    expect(rows).toEqual([[long], ['b']]);
  });

  it.each([
    [
      'a line that is no object',
      '{"a":1}\n[2]\n',
      'unreadable',
      'Line 2: this is not a JSON object',
    ],
    ['a list', '[{"a":1},{"a":2}]', 'not_a_sheet', 'This is JSON, not a table.'],
    [
      'an object over several lines',
      '{\n  "a": 1\n}\n',
      'not_a_sheet',
      'This is JSON, not a table.',
    ],
    [
      'too many keys',
      `{${Array.from({ length: 10_000 }, (_, n) => `"k${n}":1`)}}`,
      'too_large',
      'more than 200 columns',
    ],
  ])('refuse %s', async (_, content, kind, message) => {
    expect(await refusalOf(importContent(content))).toMatchObject({
      kind,
      message: expect.stringContaining(message),
    });
  });
});

describe('a repaired sheet', () => {
  it.each([
    [
      'loses titles above its table',
      'Sales 2026\n\nname,city,price\na,b,1\nc,d,2\n',
      ['name', 'city', 'price'],
      [
        ['a', 'b', '1'],
        ['c', 'd', '2'],
      ],
      'title_rows',
    ],
    [
      'loses comment lines',
      '# made by a tool\nname,city,price\na,b,1\n# half\nc,d,2\n',
      ['name', 'city', 'price'],
      [
        ['a', 'b', '1'],
        ['c', 'd', '2'],
      ],
      'comment',
    ],
    [
      'joins two header rows',
      'Sales,,Costs,\n2025,2026,2025,2026\n'.replaceAll('202', 'y202') +
        '1,2,3,4\n5,6,7,8\n9,1,2,3\n',
      ['Sales y2025', 'Sales y2026', 'Costs y2025', 'Costs y2026'],
      [
        ['1', '2', '3', '4'],
        ['5', '6', '7', '8'],
        ['9', '1', '2', '3'],
      ],
      'header_rows',
    ],
    [
      'loses repeated headers',
      'name,city,price\na,b,1\nname,city,price\nc,d,2\n',
      ['name', 'city', 'price'],
      [
        ['a', 'b', '1'],
        ['c', 'd', '2'],
      ],
      'header_again',
    ],
  ])('%s', async (_, content, columns, expected, kind) => {
    const { sheet, rows } = await importContent(content);
    expect({ columns: sheet.columns, rows, isSure: sheet.isSure }).toEqual({
      columns,
      rows: expected,
      isSure: true,
    });
    expect(sheet.report.problems.map((problem) => problem.kind)).toContain(kind);
  });

  it('reads quotes behind spaces, and apostrophes as quotes', async () => {
    const spaced = await importContent('name, text, n\na, "b, c", 1\nd, "e", 2\nf, "g, h", 3\n');
    expect(spaced.rows[0]).toEqual(['a', 'b, c', '1']);
    const single = await importContent("name,text\n'a','b, won't c'\n'd','e'\n'f','g'\n");
    expect(single.rows[0]).toEqual(['a', "b, won't c"]);
  });

  it('keeps rows whose values begin with #, also a ragged one', async () => {
    const orders = Array.from({ length: 8 }, (_, index) => `#${1001 + index},Ada,3`);
    orders[4] = '#1005,Ada,call, then ship';
    const { sheet, rows } = await importContent(`order,who,note\n${orders.join('\n')}\n`);
    expect(rows).toHaveLength(8);
    expect(sheet.report.problems.map(({ kind }) => kind)).not.toContain('comment');
  });

  it('has a header of long questions when the columns below them hold data', async () => {
    const question = 'How satisfied are you with the speed and the care of our delivery?';
    const answers = Array.from({ length: 5 }, (_, day) => `2026-05-0${day + 1},${day},Good\n`);
    const { sheet } = await importContent(`Timestamp,${question},Why?\n${answers.join('')}`);
    expect(sheet).toMatchObject({ rows: 5, columns: ['Timestamp', question, 'Why?'] });
    const prompts = `${question},${question}\nWhy?,Good?\n`.repeat(5);
    expect((await importContent(prompts)).sheet).toMatchObject({ dialect: { header: false } });
  });

  it('has no header when it is a list of phrases', async () => {
    const list =
      'best arran teapot 2025\nhow to clean a teapot\nteapot with wooden handle\ncheap teapot for two\n';
    const { sheet } = await importContent(list);
    expect(sheet).toMatchObject({ rows: 4, dialect: { header: false }, isSure: true });
  });
});

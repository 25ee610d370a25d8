import { describe, expect, it } from 'vitest';
import { compileTemplate, missingIn, namesBeside, unusedColumns, variablesIn } from './prompts.ts';

const columns = ['Name', 'city', '__proto__'];

describe('filling in a template', () => {
  it.each([
    ['Hello {{Name}} from {{ city }}', 'Hello Ann from Douglas'],
    ['{{name}}', 'Ann'],
    ['{{Name}}{{Name}}', 'AnnAnn'],
    ['{{tone}}: {{Name}}', 'kind: Ann'],
    ['no variable', 'no variable'],
    ['{{unknown}} stays', '{{unknown}} stays'],
    ['{{ }} and {single}', '{{ }} and {single}'],
    ['{{__proto__}}', 'p'],
    ['{{constructor}}', '{{constructor}}'],
    ['$1 $& {{Name}}', '$1 $& Ann'],
  ])('turns %j into %j', (template, filled) => {
    const compiled = compileTemplate(template, {
      columns,
      variables: { tone: 'kind', Name: 'not this' },
    });
    const cells = ['Ann', 'Douglas', 'p'];
    expect(compiled.fill(cells, 1_000)).toBe(filled);
    expect(compiled.lengthFor(cells)).toBe(filled.length);
  });

  it('does not replace variables in filled-in values', () => {
    expect(compileTemplate('{{Name}}', { columns }).fill(['{{city}}', 'Douglas'], 100)).toBe(
      '{{city}}',
    );
  });

  it('lists its variables, the missing ones and the unused columns', () => {
    expect(variablesIn('{{a}} {{b}} {{a}}')).toEqual(['a', 'b']);
    expect(missingIn('{{Name}} {{tone}} {{other}}', { columns, variables: { tone: '' } })).toEqual([
      'other',
    ]);
    expect(unusedColumns('{{name}}', columns)).toEqual(['city', '__proto__']);
  });

  it.each([
    ['case', '{{NAME}}', 'Name'],
    ['the form of accents', '{{Citta\u0300}}', 'Citt\u00e0'],
    ['the form of accents in the sheet', '{{Citt\u00e0}}', 'Citta\u0300'],
    ['spaces inside', '{{first  name}}', 'first name'],
    ['a line break in the sheet', '{{first name}}', 'first\n name'],
    ['invisible characters in the sheet', '{{Name}}', '\u202eName\u200b'],
    ['invisible characters', '{{Name\u200b}}', 'Name'],
  ])('finds a column whatever the %s', (_what, template, column) => {
    expect(missingIn(template, { columns: [column] })).toEqual([]);
    expect(namesBeside([column], variablesIn(template))).toEqual([]);
    expect(compileTemplate(template, { columns: [column] }).fill(['Ann'], 100)).toBe('Ann');
  });

  it('finds a variable whatever the form of accents', () => {
    const values = { columns: [], variables: { 'Citt\u00e0': 'Rome' } };
    expect(missingIn('{{Citta\u0300}}', values)).toEqual([]);
    expect(compileTemplate('{{Citta\u0300}}', values).fill([], 100)).toBe('Rome');
  });

  it('finds a column with a long name', () => {
    const name = 'Which of these did you use last year? '.repeat(20).trim();
    expect(missingIn(`Say {{${name}}}`, { columns: [name] })).toEqual([]);
    expect(compileTemplate(`{{${name}}}`, { columns: [name] }).fill(['yes'], 100)).toBe('yes');
  });

  it('prefers the exact name of a column', () => {
    const names = ['NAME', 'Name'];
    expect(compileTemplate('{{Name}}', { columns: names }).fill(['a', 'b'], 100)).toBe('b');
  });

  it('misses a column whose name has braces, which it cannot fill in', () => {
    const odd = { columns: ['Price {EUR}', '{{Name}}', 'Name'] };
    expect(missingIn('{{Name}} costs {{Price {EUR}}}', odd)).toEqual(['Price {EUR}']);
    expect(missingIn('{{Name}} costs {EUR}', odd)).toEqual([]);
  });

  it('knows the length of a prompt of two gigabytes without building it', () => {
    const huge = compileTemplate('{{Name}}'.repeat(12_500), { columns });
    const cells = ['x'.repeat(160_000)];
    expect(huge.lengthFor(cells)).toBe(2_000_000_000);
    expect(huge.fill(cells, 262_144)).toBeNull();
  });

  it.each([
    ['every used column is empty', 'Say hello to {{Name}}', ['', 'Douglas'], true],
    ['a used column has a value', '{{Name}} {{city}}', ['', 'Douglas'], false],
    ['the whole row is empty', 'Tell a joke', ['', ' '], true],
    ['no column is used and the row has values', 'Tell a joke', ['Ann', ''], false],
    ['the prompt has only spaces', '  ', ['Ann', 'Douglas'], true],
    ['the row has only invisible characters', 'Go {{Name}}', ['\u200b\ufeff\u00a0', ''], true],
    ['the row is the end of a DOS file', 'Tell a joke', ['\u001a'], true],
    ['the row has only a flag', 'Go {{Name}}', ['\u{1f1ee}\u{1f1f2}', ''], false],
  ])('has nothing to ask, or something, when %s', (_, template, cells, expected) => {
    expect(compileTemplate(template, { columns }).isBlankFor(cells)).toBe(expected);
  });

  it.each([
    ['an open brace and spaces', `{{${' '.repeat(100_000)}x`],
    ['many open names', '{{a'.repeat(33_000)],
    ['only braces', '{{'.repeat(50_000)],
    ['open braces with long spaces', `{{${' '.repeat(199)}`.repeat(500)],
  ])('parses %s in linear time', (_, template) => {
    // CPU time, because other tests run at the same time. A quadratic expression takes minutes.
    const before = process.cpuUsage();
    expect(variablesIn(template)).toEqual([]);
    const { user } = process.cpuUsage(before);
    expect(user / 1_000).toBeLessThan(1_000);
  });

  it('finds thousands of variables among many columns with long names without comparing each pair', () => {
    const long = Array.from({ length: 200 }, (_, index) => `${'Ä'.repeat(1_250)}${index}`);
    const names = Array.from({ length: 14_000 }, (_, index) => `{{${index + 10_000}}}`).join('');
    const before = process.cpuUsage();
    expect(missingIn(names, { columns: long })).toHaveLength(14_000);
    expect(unusedColumns(names, long)).toHaveLength(200);
    expect(compileTemplate(names, { columns: long }).usedColumns).toEqual([]);
    // Comparing each pair took 6 s.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });

  it('prefers the exact name of a column, then the first that differs in case alone', () => {
    const cells = ['first', 'second', 'third'];
    const { fill } = compileTemplate('{{name}} {{NAME}} {{nAmE}}', {
      columns: ['Name', 'NAME', 'other'],
    });
    expect(fill(cells, 100)).toBe('first second first');
  });
});

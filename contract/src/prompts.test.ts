import { describe, expect, it } from 'vitest';
import { compileTemplate, missingIn, unusedColumns, variablesIn } from './prompts.ts';

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
    expect(
      compileTemplate(template, { columns, variables: { tone: 'kind', Name: 'not this' } })([
        'Ann',
        'Douglas',
        'p',
      ]),
    ).toBe(filled);
  });

  it('does not replace variables in filled-in values', () => {
    expect(compileTemplate('{{Name}}', { columns })(['{{city}}', 'Douglas'])).toBe('{{city}}');
  });

  it('lists its variables, the missing ones and the unused columns', () => {
    expect(variablesIn('{{a}} {{b}} {{a}}')).toEqual(['a', 'b']);
    expect(missingIn('{{Name}} {{tone}} {{other}}', { columns, variables: { tone: '' } })).toEqual([
      'other',
    ]);
    expect(unusedColumns('{{name}}', columns)).toEqual(['city', '__proto__']);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainFileName, plainName } from './plain-name.ts';

describe('a name in an email', () => {
  it.each([
    ['Ned', 'Ned'],
    ['Anne-Marie O’Neill', 'Anne-Marie O’Neill'],
    ['Dr. J. R. Quayle', 'Dr. J. R. Quayle'],
    [
      'http://evil.test/login - your account is locked, sign in there',
      'http evil test login - your account is…',
    ],
    ['WWW.Evil.Test', 'Evil Test'],
    ['evil．test', 'evil test'],
    ['me@evil.test', 'me evil test'],
    ['Ned\r\nBcc: all', 'Ned Bcc all'],
    ['://', 'there'],
    ['🦊'.repeat(50), `${'🦊'.repeat(39)}…`],
  ])('becomes harmless: %j', (name, shown) => {
    expect(plainName(name)).toBe(shown);
  });

  it.each([
    ['leads.csv', 'leads.csv'],
    ['Leads 2026 (v1.2).csv (2)', 'Leads 2026 (v1 2).csv (2)'],
    ['(leads.xlsx)', '(leads.xlsx)'],
    [
      'Your account is locked: https://evil.test/login.csv',
      'Your account is locked https evil test login.csv',
    ],
    ['evil.csv.test leads.csv/x', 'evil csv test leads csv x'],
    ['leads.csv@evil.test', 'leads csv evil test'],
    ['evil.zip', 'evil zip'],
    ['://', 'without a name'],
    ['x'.repeat(100), `${'x'.repeat(79)}…`],
  ])('of a batch keeps the ending of a file: %j', (name, shown) => {
    expect(plainFileName(name)).toBe(shown);
  });

  it('never holds an address, whatever it is made of', () => {
    const parts = fc.constantFrom(
      'http',
      '://',
      'www.',
      'W',
      '.',
      '@',
      ' ',
      'evil',
      'test',
      '/',
      '．',
      'com',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (some) => {
        const shown = plainName(some.join(''));
        expect(shown).not.toMatch(/:\/\/|www\.|@|\.\w|\n/i);
        expect(Array.from(shown).length).toBeLessThanOrEqual(40);
      }),
    );
  });
});

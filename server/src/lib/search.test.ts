import { describe, expect, it } from 'vitest';
import { foldedPatterns } from './search.ts';

/** What the database does: only the letters A to Z become small. */
const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const isLike = (text: string, pattern: string) =>
  new RegExp(
    `^${pattern.replace(/\\?./gsu, (part) => {
      if (part === '%') return '.*';
      if (part === '_') return '.';
      return part.replace('\\', '').replace(/[$()*+.?[\\\]^{|}]/, '\\$&');
    })}$`,
    'su',
  ).test(text);

describe('the patterns of a search', () => {
  it.each([
    ['oak', 'OAK tree', true],
    ['oak', 'elm tree', false],
    ['50%', 'at 50% now', true],
    ['50%', 'at 500 now', false],
    ['a_b', 'xA_B', true],
    ['a_b', 'xacb', false],
    ['c:\\d', 'C:\\DIR', true],
    ['日本', 'in 日本 now', true],
  ])('for %j decide about %j', (search, text, isFound) => {
    const { may, isExact } = foldedPatterns(search);
    expect(isExact).toBe(true);
    expect(fold(text).includes(search.toLowerCase())).toBe(isFound);
    if (isFound) expect(isLike(fold(text), may)).toBe(true);
  });

  it.each([
    ['münchen', 'MÜNCHEN'],
    ['kelvin', '\u212Aelvin'],
    ['i\u0307zmir', '\u0130zmir'],
    ['ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ'.toLowerCase()],
  ])('for %j may find %j', (search, text) => {
    expect(text.toLowerCase()).toContain(search.toLowerCase());
    expect(isLike(fold(text), foldedPatterns(search).may)).toBe(true);
  });

  it('miss no character that has the lower case of the search', () => {
    const missed = [];
    for (let code = 1; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = String.fromCodePoint(code);
      const small = text.toLowerCase();
      // Other characters are themselves in both.
      if (small === text || /^[A-Z]$/.test(text)) continue;
      if (!isLike(text, foldedPatterns(small).may)) missed.push(text);
    }
    expect(missed).toEqual([]);
  });
});

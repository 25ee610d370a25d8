import { describe, expect, it } from 'vitest';
import { encode, sentences } from './encoded-sentences.ts';
import { rankEncodings } from './rank-encodings.ts';

/** Whole texts, and single lines, which tell less. */
const cases = sentences.flatMap(([encoding, language, text]) =>
  [text, ...text.split('\n')].map((part) => ({ encoding, language, part })),
);

describe('ranking encodings', () => {
  it.each(sentences)('puts %s first for %s', (encoding, _, text) => {
    expect(new TextDecoder(encoding).decode(encode(text, encoding))).toBe(text);
    expect(rankEncodings(encode(text, encoding))[0]?.text).toBe(text);
  });

  it.each(cases)(
    'offers $encoding for “$part”, and alone only when right',
    ({ encoding, part }) => {
      const readings = new Set(rankEncodings(encode(part, encoding)).map(({ text }) => text));
      expect(readings).toContain(part);
    },
  );

  it('decides when all plausible encodings show the same letters', () => {
    const [[encoding, , german] = ['', '', '']] = sentences;
    const readings = rankEncodings(encode(`${german}\n`.repeat(3), encoding));
    expect(readings.length).toBeGreaterThan(1);
    expect(new Set(readings.map(({ text }) => text)).size).toBe(1);
  });

  it('puts UTF-8 first when only a few bytes are damaged', () => {
    const damaged = Buffer.concat([
      Buffer.from('Žluťoučký kůň úpěl ďábelské ódy'),
      Buffer.from([0xff]),
    ]);
    expect(rankEncodings(damaged)[0]?.encoding).toBe('utf-8');
  });
});

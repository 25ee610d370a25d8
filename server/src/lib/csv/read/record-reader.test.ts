import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SheetRefused } from '../sheet.ts';
import { type CsvRecord, RecordReader } from './record-reader.ts';

/** Text made of the characters that matter to the reader. */
const text = fc.array(
  fc.constantFrom(
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
    '"\n',
    '\ufeff',
  ),
  {
    maxLength: 60,
  },
);

describe('the record reader', () => {
  it('finds the same records wherever the text is cut', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(8), { maxLength: 60 }), (parts, cuts) => {
        const whole = parts.join('');
        expect(read(pieces(whole, cuts))).toEqual(read([whole]));
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses at the same line wherever the text is cut', () => {
    const limits = { recordBytes: 20, columns: 4, emptyLines: 3 };
    fc.assert(
      fc.property(text, fc.array(fc.nat(8), { maxLength: 60 }), (parts, cuts) => {
        const whole = parts.join('').replaceAll('\0', '');
        const [cut, uncut] = [read(pieces(whole, cuts), limits), read([whole], limits)];
        expect(cut.refusal?.line).toEqual(uncut.refusal?.line);
        expect(cut.records).toEqual(uncut.records);
      }),
      // Too many columns, and an unclosed quote in the last one.
      {
        numRuns: 2000,
        examples: [
          [
            [',"', '\r\n', '",', 'a', '",', ',"'],
            [4, 2, 1, 2, 1],
          ],
        ],
      },
    );
  });
});

function read(
  parts: readonly string[],
  limits = { recordBytes: 1e6, columns: 1e6, emptyLines: 1e6 },
) {
  const records: CsvRecord[] = [];
  const reader = new RecordReader({
    delimiter: ',',
    firstLine: 1,
    limits,
    take: (record) => records.push(record),
  });
  let refusal: SheetRefused | null = null;
  try {
    for (const part of parts) reader.push(part);
    reader.end();
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error;
    refusal = error;
  }
  return { records, refusal, empty: reader.empty, nuls: reader.nuls };
}

function pieces(whole: string, cuts: readonly number[]): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const cut of cuts) {
    parts.push(whole.slice(at, at + cut));
    at += cut;
  }
  return [...parts, whole.slice(at)];
}

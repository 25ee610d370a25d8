import { describe, expect, it } from 'vitest';
import { encoderFor } from '../append/encode-text.ts';
import { knownExports } from '../detect/known-exports.ts';
import { cutWhole, importContent } from '../test-sheet.ts';

describe('the export of a known program', () => {
  it.each(knownExports)('is read as a person sees it, or not called sure: $name', async (known) => {
    const { text, encoding = 'utf-8', columns, rows: count, first, isOpen } = known;
    const bytes = encoderFor(encoding)?.(text).bytes ?? Buffer.alloc(0);
    const { sheet, rows } = await importContent(bytes);
    if (isOpen) expect(sheet.isSure && sheet.report.total === 0).toBe(false);
    else
      expect({ columns: sheet.columns, rows: rows.length, first: rows[0] }).toEqual({
        columns,
        rows: count,
        first,
      });
    async function* whole() {
      yield bytes;
    }
    const cut = await cutWhole(whole(), sheet.dialect);
    expect({ isSame: cut.bytes.equals(bytes), rows: cut.rows }).toEqual({
      isSame: true,
      rows: rows.length,
    });
  });
});

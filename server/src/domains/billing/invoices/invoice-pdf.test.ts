import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StartRefused } from '../../../lib/start-refused.ts';
import { assertInvoiceFont } from './invoice-pdf.ts';

const builtIn = join(import.meta.dirname, 'fonts/DejaVuSansCondensed.ttf');

test('refuses the start with a font that no invoice can be made with', async () => {
  await assertInvoiceFont(null);
  await assertInvoiceFont(builtIn);
  const damaged = join(await mkdtemp(join(tmpdir(), 'font-')), 'damaged.ttf');
  await writeFile(damaged, (await readFile(builtIn)).subarray(0, 100_000));
  await expect(assertInvoiceFont(damaged)).rejects.toThrow(StartRefused);
  await expect(assertInvoiceFont(damaged)).rejects.toThrow(`INVOICE_FONT is "${damaged}"`);
});

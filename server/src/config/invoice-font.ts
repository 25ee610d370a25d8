import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Problems } from './problems.ts';

/** TrueType and OpenType. A collection would need the name of one of its fonts. */
const fontBeginnings = ['\0\x01\0\0', 'true', 'OTTO'];

export function invoiceFont(path: string, problems: Problems): string | null {
  if (path === '') return null;
  try {
    const beginning = readFileSync(path).toString('latin1', 0, 4);
    if (!fontBeginnings.includes(beginning))
      problems.add(`INVOICE_FONT is "${path}", but that is no TTF or OTF font.`);
  } catch {
    problems.add(`INVOICE_FONT is "${path}", but that file cannot be read.`);
  }
  return resolve(path);
}

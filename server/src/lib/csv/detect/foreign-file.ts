import * as texts from '../../../texts/sheets.ts';
import { SheetRefused } from '../sheet.ts';

interface Signature {
  what: string;
  /** Bytes in hexadecimal. */
  starts: readonly string[];
  /** The signature is also valid text, so only a NUL byte soon after it counts as a match. */
  isText?: true;
}

const signatures: readonly Signature[] = [
  { what: 'an empty or split ZIP archive', starts: ['504b0506', '504b0708'] },
  { what: 'an old Excel or Office file, or one with a password', starts: ['d0cf11e0'] },
  { what: 'a gzip file', starts: ['1f8b'] },
  {
    what: 'a compressed file',
    starts: ['377abcaf271c', '526172211a07', 'fd377a585a00', '28b52ffd', '425a6839314159265359'],
  },
  { what: 'a program', starts: ['7f454c46'] },
  { what: 'a program', starts: ['4d5a'], isText: true },
  { what: 'a PDF file', starts: ['255044462d'] },
  { what: 'an image', starts: ['89504e47', 'ffd8ff'] },
];
/** Spreadsheet programs save under `.xls` what is a web page or XML. */
const documents: readonly { what: string; starts: RegExp; holds?: RegExp }[] = [
  {
    what: 'a web page',
    starts: /^\s*<(?:!doctype html|html|head|meta|table)[\s>]/i,
    holds: /<(?:body|tr)[\s>]/i,
  },
  { what: 'an XML file', starts: /^\s*<\?xml\s/ },
  { what: 'an RTF document', starts: /^\{\\rtf\d/ },
];
const signatureReach = 64;
/** Above this share of control characters bytes are not text. A sheet has a stray one at most. */
const maximumControls = 0.1;

/** Workbooks are ZIP archives. */
export function isZip(head: Buffer): boolean {
  return head.toString('hex', 0, 4) === '504b0304';
}

/** Looks only at the first bytes; nothing is decompressed. */
export function refuseForeignFile(head: Buffer): void {
  const found = signatures.find((signature) => isSigned(head, signature));
  if (found) throw new SheetRefused('not_a_sheet', texts.otherFormat(found.what));
}

/** Its lines would be taken for a list of prompts. */
export function refuseForeignText(head: string): void {
  const found = documents.find(
    ({ starts, holds }) => starts.test(head) && (!holds || holds.test(head)),
  );
  if (found) throw new SheetRefused('not_a_sheet', texts.otherFormat(found.what));
}

/** Not for UTF-16, where every other byte may be NUL. */
export function refuseBinary(head: Buffer): void {
  let controls = 0;
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32)) controls += 1;
  if (controls > head.length * maximumControls)
    throw new SheetRefused('not_a_sheet', texts.notText);
}

function isSigned(head: Buffer, { starts, isText }: Signature): boolean {
  const start = head.toString('hex', 0, signatureReach);
  return (
    starts.some((bytes) => start.startsWith(bytes)) &&
    (!isText || head.subarray(0, signatureReach).includes(0))
  );
}

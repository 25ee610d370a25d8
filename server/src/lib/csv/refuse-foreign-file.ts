import { SheetRefused } from './sheet-refused.ts';

interface Signature {
  what: string;
  /** Bytes in hexadecimal. */
  starts: readonly string[];
  /** The signature is also plain text, so that only a NUL byte soon after it tells the two apart. */
  isText?: true;
}

const signatures: readonly Signature[] = [
  { what: 'a ZIP or Excel file', starts: ['504b0304', '504b0506', '504b0708'] },
  { what: 'an old Excel or Office file', starts: ['d0cf11e0'] },
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
const signatureReach = 64;
/** A sheet has a stray control character at most; a tenth of them means that the bytes are no text. */
const mostControls = 0.1;

/** Only looks at the first bytes: nothing is ever decompressed. */
export function refuseForeignFile(head: Buffer): void {
  const found = signatures.find((signature) => isSigned(head, signature));
  if (found)
    throw new SheetRefused(
      'not_a_sheet',
      `This is ${found.what}. Please save it as CSV and upload that.`,
    );
}

/** For a head that is no UTF-16, where every other byte may be NUL. */
export function refuseBinary(head: Buffer): void {
  let controls = 0;
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32)) controls += 1;
  if (controls > head.length * mostControls)
    throw new SheetRefused(
      'not_a_sheet',
      'This is not a text file. Please save your sheet as CSV and upload that.',
    );
}

function isSigned(head: Buffer, { starts, isText }: Signature): boolean {
  const start = head.toString('hex', 0, signatureReach);
  return (
    starts.some((bytes) => start.startsWith(bytes)) &&
    (!isText || head.subarray(0, signatureReach).includes(0))
  );
}

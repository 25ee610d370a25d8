import { isUtf8 } from 'node:buffer';

const marks: readonly { encoding: string; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];
/** Latin UTF-16 has a NUL byte in nearly every unit; Chinese only in delimiters and line ends. */
const nulShareInLatin = 0.4;
const nulShareInAny = 0.01;
/** U+3000 and similar characters put a few NUL bytes on the other side. */
const maximumShareOnOtherSide = 0.25;

/**
 * By byte order mark or NUL bytes; otherwise UTF-8, which only the whole file confirms. `from` is
 * the length of the mark.
 */
export function detectEncoding(head: Buffer, { size }: { size: number }) {
  const mark = marks.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (mark) return { encoding: mark.encoding, from: mark.bytes.length };
  return { encoding: (size % 2 === 0 && findUnmarkedUtf16(head)) || 'utf-8', from: 0 };
}

export function markLength(head: Buffer, encoding: string): number {
  const mark = marks.find((known) => known.encoding === encoding);
  return mark?.bytes.every((byte, index) => head[index] === byte) ? mark.bytes.length : 0;
}

function findUnmarkedUtf16(head: Buffer): string | undefined {
  if (head.length === 0) return undefined;
  const zeros = [0, 0] as [number, number];
  for (let index = 0; index < head.length; index += 1)
    if (head[index] === 0) zeros[index & 1 ? 1 : 0] += 1;
  const [even, odd] = zeros;
  const share = Math.max(even, odd) / (head.length / 2);
  const isOneSided = Math.min(even, odd) <= Math.max(even, odd) * maximumShareOnOtherSide;
  if (!isOneSided || share < nulShareInAny || (share < nulShareInLatin && isUtf8(head)))
    return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

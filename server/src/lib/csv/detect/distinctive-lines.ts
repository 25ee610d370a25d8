import type { ThreadFile } from '../../thread-file.ts';

const chunkBytes = 512 * 1024;
const maximumLine = 4096;
/** Lines that are kept for each byte beyond ASCII. */
const linesPerByte = 2;

/** Lines that together hold every byte beyond ASCII, to compare how encodings read them. */
export async function readDistinctiveLines(source: ThreadFile): Promise<Buffer> {
  const seen = new Uint8Array(256);
  const lines: Buffer[] = [];
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await source.read(buffer, position);
    if (bytesRead === 0) return Buffer.concat(lines);
    collect(buffer.subarray(0, bytesRead), seen, lines);
    position += bytesRead;
  }
}

function collect(bytes: Buffer, seen: Uint8Array, lines: Buffer[]): void {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x80 || (seen[byte] as number) >= linesPerByte) continue;
    const start = bytes.lastIndexOf(10, at) + 1;
    const end = bytes.indexOf(10, at);
    if (end < 0) return;
    at = end;
    // A line that is cut by the start of the chunk or very long could end within a character.
    if (start === 0 || end - start > maximumLine) continue;
    for (const other of bytes.subarray(start, end))
      if (other >= 0x80) seen[other] = Math.min(255, (seen[other] as number) + 1);
    lines.push(Buffer.from(bytes.subarray(start, end + 1)));
  }
}

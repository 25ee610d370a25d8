import { open } from 'node:fs/promises';

/** The rows between two offsets of a rows file, both of which must be starts of rows or its end. */
export async function readRows(
  file: string,
  { from, to }: { from: number; to: number },
): Promise<string[][]> {
  const bytes = Buffer.allocUnsafe(to - from);
  await using handle = await open(file);
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
    if (bytesRead === 0) throw new RangeError(`${file} ends before byte ${to}`);
    filled += bytesRead;
  }
  // A line end within a cell is written as \n, so that each raw one ends a row.
  return JSON.parse(`[${bytes.toString('utf8').trimEnd().replaceAll('\n', ',')}]`);
}

import { Readable } from 'node:stream';
import type { FileStore } from '../../src/domains/files/port.ts';
import { rowsPerBlock } from '../../src/lib/csv/sheet.ts';

/** Files in memory. */
export class MemoryFiles implements FileStore {
  readonly chunkBytes = 64 * 1024;
  readonly #contents = new Map<string, Buffer>();

  /** Stores rows as an import does and returns the offset of each block and the length. */
  putRows(key: string, rows: readonly string[][]): number[] {
    const slices: Buffer[] = [];
    for (let first = 0; first < rows.length; first += rowsPerBlock) {
      const lines = rows
        .slice(first, first + rowsPerBlock)
        .map((cells) => `${JSON.stringify(cells)}\n`);
      slices.push(Buffer.from(lines.join('')));
    }
    const offsets = [0];
    for (const { length } of slices) offsets.push((offsets.at(-1) ?? 0) + length);
    this.#contents.set(key, Buffer.concat(slices));
    return offsets;
  }

  async readRange(key: string, from: number, to: number): Promise<Buffer> {
    return this.#get(key).subarray(from, to);
  }

  async open(key: string): Promise<Readable> {
    return Readable.from(this.#get(key));
  }

  /** Removes all files of a sheet. */
  async remove(key: string): Promise<void> {
    for (const known of this.#contents.keys())
      if (known.startsWith(`${key}/`)) this.#contents.delete(known);
  }

  clear(): void {
    this.#contents.clear();
  }

  temporaryPath(): never {
    throw new Error('Nothing is uploaded here.');
  }

  fetch(): never {
    return this.temporaryPath();
  }

  async *unchangedSince(): AsyncIterable<string> {}

  async check(): Promise<void> {}
  async store(): Promise<void> {}
  async discard(): Promise<void> {}
  async sweep(): Promise<void> {}

  #get(key: string): Buffer {
    const content = this.#contents.get(key);
    if (!content) throw new Error(`There is no file ${key}.`);
    return content;
  }
}

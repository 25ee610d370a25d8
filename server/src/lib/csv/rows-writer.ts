import type { FileHandle } from 'node:fs/promises';

export const rowsPerSlice = 256;
/** In UTF-16 units: rows are put together up to here before they are made bytes. */
const pieceLength = 64 * 1024;
/** A unit of UTF-16 takes three bytes at most. */
const bytesPerUnit = 3;
const bufferBytes = 1024 * 1024;

/**
 * Rows as lines of JSON. They are gathered until the caller drains them, which it does for each piece that it reads. Two
 * buffers take turns, one filled while the other is written: new ones for each piece would double the memory of an import.
 */
export class RowsWriter {
  readonly offsets: number[] = [];
  readonly #file: FileHandle;
  #filling: Buffer = Buffer.allocUnsafe(bufferBytes);
  #spare: Buffer = Buffer.allocUnsafe(bufferBytes);
  #filled = 0;
  #piece = '';
  #length = 0;
  #rows = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Bytes so far, but for the piece that is being put together. */
  get length(): number {
    return this.#length;
  }

  add(cells: readonly string[]): void {
    if (this.#rows % rowsPerSlice === 0) {
      this.#endPiece();
      this.offsets.push(this.#length);
    }
    this.#rows += 1;
    this.#piece += `${JSON.stringify(cells)}\n`;
    if (this.#piece.length > pieceLength) this.#endPiece();
  }

  /** Only one at a time. */
  async drain(): Promise<void> {
    const bytes = this.#filling.subarray(0, this.#filled);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#filled = 0;
    for (let from = 0; from < bytes.length; )
      from += (await this.#file.write(bytes, from)).bytesWritten;
  }

  async end(): Promise<void> {
    this.#endPiece();
    await this.drain();
    this.offsets.push(this.#length);
  }

  #endPiece(): void {
    this.#makeRoom(this.#piece.length * bytesPerUnit);
    const written = this.#filling.write(this.#piece, this.#filled);
    this.#filled += written;
    this.#length += written;
    this.#piece = '';
  }

  #makeRoom(bytes: number): void {
    if (this.#filled + bytes <= this.#filling.length) return;
    const larger = Buffer.allocUnsafe((this.#filled + bytes) * 2);
    this.#filling.copy(larger, 0, 0, this.#filled);
    this.#filling = larger;
  }
}

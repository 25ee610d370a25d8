import { hasSpaceFor } from '../../disk-space.ts';
import type { ThreadFile } from '../../thread-file.ts';
import { type ColumnSize, rowsPerBlock } from '../sheet.ts';

/** In UTF-16 units: rows are joined up to this length before they are encoded. */
const pieceLength = 64 * 1024;
/** A UTF-16 unit takes at most three bytes in UTF-8. */
const bytesPerUnit = 3;
const bufferBytes = 1024 * 1024;
/** Free space is checked once per this many bytes. */
const checkSpaceEveryBytes = 4 * 1024 * 1024;

/**
 * Writes rows as lines of JSON. The caller drains the bytes once for each chunk it reads. One of
 * two buffers is filled while the other is written; new ones would double the memory.
 */
export class RowsWriter {
  readonly offsets: number[] = [];
  readonly columnSizes: ColumnSize[] = [];
  readonly #file: ThreadFile;
  #filling: Buffer = Buffer.allocUnsafe(bufferBytes);
  #spare: Buffer = Buffer.allocUnsafe(bufferBytes);
  #filled = 0;
  #piece = '';
  #length = 0;
  #rows = 0;
  readonly #hasSpaceFor: typeof hasSpaceFor;
  #nextCheck = checkSpaceEveryBytes;

  constructor(file: ThreadFile, hasSpace = hasSpaceFor) {
    this.#file = file;
    this.#hasSpaceFor = hasSpace;
  }

  /** Bytes so far, without the piece being joined. */
  get length(): number {
    return this.#length;
  }

  add(cells: readonly string[]): void {
    if (this.#rows % rowsPerBlock === 0) {
      this.#endPiece();
      this.offsets.push(this.#length);
    }
    this.#rows += 1;
    this.#measure(cells);
    this.#piece += `${JSON.stringify(cells)}\n`;
    if (this.#piece.length > pieceLength) this.#endPiece();
  }

  /** Must not run twice at once. */
  async drain(): Promise<void> {
    await this.#leaveSpace();
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

  /** A workbook may have a hundred times its size, and a full disk ends the database. */
  async #leaveSpace(): Promise<void> {
    if (this.#length < this.#nextCheck) return;
    this.#nextCheck = this.#length + checkSpaceEveryBytes;
    if (await this.#hasSpaceFor(this.#filled + checkSpaceEveryBytes, this.#file.path)) return;
    throw Object.assign(new Error('the disk has no space for these rows'), { code: 'ENOSPC' });
  }

  #measure(cells: readonly string[]): void {
    while (this.columnSizes.length < cells.length) this.columnSizes.push({ filled: 0, longest: 0 });
    for (const [column, cell] of cells.entries()) {
      const size = this.columnSizes[column] as ColumnSize;
      if (cell.trim() !== '') size.filled++;
      if (cell.length > size.longest) size.longest = cell.length;
    }
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

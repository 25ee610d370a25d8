/**
 * Rows of a sheet in order, one bit each. The packed text has 4 bytes for 24 rows, so any choice
 * from a million rows takes 170 kB, instead of 7 MB as a list. Many batches are read whole at once.
 */
export class RowSet {
  readonly #bytes: Uint8Array;
  readonly size: number;

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    let size = 0;
    for (const byte of bytes) size += bitsIn[byte] as number;
    this.size = size;
  }

  /** Rows from `end` on are left out. */
  static of(rows: Iterable<number>, end: number): RowSet {
    const bytes = new Uint8Array(Math.ceil(end / 8));
    for (const row of rows)
      if (row < end) bytes[row >> 3] = (bytes[row >> 3] ?? 0) | (1 << (row & 7));
    return new RowSet(bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1));
  }

  static unpack(packed: string): RowSet {
    return new RowSet(Buffer.from(packed, 'base64'));
  }

  get packed(): string {
    return Buffer.from(this.#bytes).toString('base64');
  }

  /** Behind the last row. */
  get end(): number {
    const last = this.#bytes.at(-1);
    return last === undefined ? 0 : 8 * this.#bytes.length - Math.clz32(last) + 24;
  }

  has(row: number): boolean {
    // A bit shift would read 2 ** 32 as 0.
    return ((this.#bytes[Math.floor(row / 8)] ?? 0) & (1 << (row & 7))) !== 0;
  }

  /** How many rows of the set come before this one; -1 when it is not in the set. */
  indexOf(row: number): number {
    if (!this.has(row)) return -1;
    let index = bitsIn[(this.#bytes[row >> 3] as number) & ((1 << (row & 7)) - 1)] as number;
    for (let at = 0; at < row >> 3; at++) index += bitsIn[this.#bytes[at] as number] as number;
    return index;
  }

  /** `count` rows of the set from the `first`th on. */
  slice(first: number, count: number): number[] {
    const rows: number[] = [];
    let skipped = 0;
    for (let at = 0; at < this.#bytes.length && rows.length < count; at++) {
      const byte = this.#bytes[at] as number;
      const bits = bitsIn[byte] as number;
      if (skipped + bits <= first) skipped += bits;
      else
        for (let bit = 0; bit < 8 && rows.length < count; bit++)
          if (byte & (1 << bit) && skipped++ >= first) rows.push(8 * at + bit);
    }
    return rows;
  }
}

const bitsIn = Uint8Array.from({ length: 256 }, (_, byte) => {
  let bits = 0;
  for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1;
  return bits;
});

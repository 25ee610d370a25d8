const lineFeed = 10;
const carriageReturn = 13;

/** Finds the line ends of a file in its bytes, as the record reader counts them in its text. */
export class LineEnds {
  readonly #width: 1 | 2;
  readonly #isBigEndian: boolean;
  #ends: number[] = [];
  #firstLine = 1;
  #isAfterReturn = false;
  #scanned: number;

  /** `from` is the byte at which the text starts. */
  constructor(encoding: string, from: number) {
    this.#width = encoding.startsWith('utf-16') ? 2 : 1;
    this.#isBigEndian = encoding === 'utf-16be';
    this.#scanned = from;
  }

  /** `bytes` starts at this byte of the file, at or before the first unscanned one. */
  scan(bytes: Buffer, start: number): void {
    let at = this.#scanned - start;
    for (; at + this.#width <= bytes.length; at += this.#width) {
      const code = this.#width === 1 ? (bytes[at] as number) : this.#unitAt(bytes, at);
      // The reader leaves out NUL characters, also within a line end.
      if (code > carriageReturn || code === 0) {
        if (code !== 0) this.#isAfterReturn = false;
      } else this.#take(code, start + at);
    }
    this.#scanned = start + at;
  }

  #take(code: number, at: number): void {
    if (code === carriageReturn || (code === lineFeed && !this.#isAfterReturn)) this.#ends.push(at);
    this.#isAfterReturn = code === carriageReturn;
  }

  #unitAt(bytes: Buffer, at: number): number {
    return this.#isBigEndian ? bytes.readUInt16BE(at) : bytes.readUInt16LE(at);
  }

  /** The byte behind the text of a line; the last line may end with the file. */
  endOf(line: number): number {
    return this.#ends[line - this.#firstLine] ?? this.#scanned;
  }

  /** Forgets the lines up to this one. */
  drop(line: number): void {
    this.#ends = this.#ends.slice(line + 1 - this.#firstLine);
    this.#firstLine = line + 1;
  }
}

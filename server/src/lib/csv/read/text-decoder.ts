import { isAscii, isUtf8 } from 'node:buffer';

export interface TextDecoding {
  decode(bytes: Buffer): string;
  /** Text from bytes that were held back. */
  end(): string;
}

/** The bytes are not UTF-8. The offset is the start of the line with the first fault. */
export class NotUtf8 extends Error {
  override name = 'NotUtf8';
  offset: number;

  constructor(offset: number) {
    super(`not UTF-8 from byte ${offset}`);
    this.offset = offset;
  }
}

/** Faults become U+FFFD, or with `isStrict` are thrown as `NotUtf8`. */
export function openDecoding(
  encoding: string,
  { from, isStrict }: { from: number; isStrict: boolean },
): TextDecoding {
  if (encoding === 'utf-8') return new Utf8Decoding(from, isStrict);
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return {
    decode: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
}

/** Several times as fast as a streaming TextDecoder: it converts whole pieces at once. */
class Utf8Decoding implements TextDecoding {
  #tail: Buffer = Buffer.alloc(0);
  #offset: number;
  readonly #isStrict: boolean;

  constructor(from: number, isStrict: boolean) {
    this.#offset = from;
    this.#isStrict = isStrict;
  }

  decode(bytes: Buffer): string {
    const joined = this.#tail.length > 0 ? Buffer.concat([this.#tail, bytes]) : bytes;
    const whole = joined.subarray(0, wholeLength(joined));
    // A copy, because the caller reuses its buffer.
    this.#tail = Buffer.from(joined.subarray(whole.length));
    return this.#read(whole);
  }

  end(): string {
    const tail = this.#tail;
    this.#tail = Buffer.alloc(0);
    return this.#read(tail);
  }

  #read(bytes: Buffer): string {
    if (isAscii(bytes)) {
      this.#offset += bytes.length;
      return bytes.toString('latin1');
    }
    if (this.#isStrict && !isUtf8(bytes)) throw new NotUtf8(this.#offset + faultyLine(bytes));
    this.#offset += bytes.length;
    return bytes.toString('utf8');
  }
}

/** The length without a character cut off at the end. */
function wholeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? bytes.length - back : bytes.length;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function faultyLine(bytes: Buffer): number {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    const next = end < 0 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) return start;
    start = next;
  }
  return bytes.length;
}

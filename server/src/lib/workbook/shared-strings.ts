import { decodeEscapes } from './escapes.ts';
import { workbookLimits, workbookTooLarge } from './limits.ts';
import type { PackedParts } from './packed-parts.ts';
import { readXml } from './read-xml.ts';

/** Larger than any text that a cell may hold. */
const chunkBytes = 4 * 1024 * 1024;
/** Where a text starts, and its length. */
const bytesPerPlace = 8 + 4;

/** The texts that cells refer to by number, as bytes outside the heap, which take less memory. */
export class SharedStrings {
  readonly #chunks: Buffer[] = [];
  #used = chunkBytes;
  #starts = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #count = 0;

  static async read(parts: PackedParts, path: string | undefined): Promise<SharedStrings> {
    const strings = new SharedStrings();
    if (!path || !parts.has(path)) return strings;
    let text = '';
    let isText = false;
    let phonetic = 0;
    await readXml(parts.read(path), {
      open(name) {
        if (name === 'si') text = '';
        else if (name === 'rPh') phonetic += 1;
        else if (name === 't') isText = phonetic === 0;
      },
      text(part) {
        if (isText) text += part;
        if (text.length > chunkBytes) throw workbookTooLarge();
      },
      close(name) {
        if (name === 't') isText = false;
        else if (name === 'rPh') phonetic -= 1;
        else if (name === 'si') strings.#add(decodeEscapes(text));
      },
    });
    return strings;
  }

  at(index: number): string {
    if (!(index >= 0 && index < this.#count)) return '';
    const start = this.#starts[index] ?? 0;
    const chunk = this.#chunks[Math.floor(start / chunkBytes)] as Buffer;
    const from = start % chunkBytes;
    return chunk.toString('utf8', from, from + (this.#lengths[index] ?? 0));
  }

  #add(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (bytes > chunkBytes) throw workbookTooLarge();
    // The first text may be empty, which fits everywhere.
    if (this.#chunks.length === 0 || this.#used + bytes > chunkBytes) {
      this.#reserve(chunkBytes);
      this.#chunks.push(Buffer.allocUnsafe(chunkBytes));
      this.#used = 0;
    }
    if (this.#count === this.#starts.length) this.#grow();
    (this.#chunks.at(-1) as Buffer).write(text, this.#used);
    this.#starts[this.#count] = (this.#chunks.length - 1) * chunkBytes + this.#used;
    this.#lengths[this.#count] = bytes;
    this.#used += bytes;
    this.#count += 1;
  }

  #grow(): void {
    this.#reserve(this.#count * bytesPerPlace);
    const starts = new Float64Array(this.#count * 2);
    starts.set(this.#starts);
    this.#starts = starts;
    const lengths = new Uint32Array(this.#count * 2);
    lengths.set(this.#lengths);
    this.#lengths = lengths;
  }

  #reserve(bytes: number): void {
    const held = this.#chunks.length * chunkBytes + this.#starts.length * bytesPerPlace;
    if (held + bytes > workbookLimits.stringBytes) throw workbookTooLarge();
  }
}

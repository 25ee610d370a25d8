import { normalised, type RowSort, withoutGroups } from '@rowmill/contract';

type Pause = () => Promise<void> | undefined;

const bytesPerKey = 32;

/**
 * What rows are sorted by: numbers by value, then texts by first letters, then empty cells. Each
 * key has the same few bytes, so that sorting a million long texts needs little memory.
 */
export class SortKeys {
  readonly #order: RowSort['order'];
  #count = 0;
  readonly #numbers: Float64Array;
  readonly #bytes: Buffer;
  /** Of the bytes: words compare like them, as the first byte counts most. */
  readonly #words: DataView;

  /** The system provides memory for as many keys as are added. */
  constructor(order: RowSort['order'], most: number) {
    this.#order = order;
    this.#numbers = new Float64Array(most);
    this.#bytes = Buffer.from(new ArrayBuffer(most * bytesPerKey));
    this.#words = new DataView(this.#bytes.buffer);
  }

  add(text: string): void {
    const index = this.#count++;
    const isByLength = this.#order === 'shortest' || this.#order === 'longest';
    this.#numbers[index] = isByLength ? text.length : numberOf(text);
    if (isByLength || !Number.isNaN(this.#numbers[index])) return;
    this.#bytes.write(foldedStart(text), index * bytesPerKey, bytesPerKey);
  }

  /** The sorted positions. Equal ones keep their order; empty cells come last in both orders. */
  async sorted(pause: Pause): Promise<Int32Array> {
    const isBackwards = this.#order === 'descending' || this.#order === 'longest';
    const compare = (one: number, other: number) => this.#compare(one, other, isBackwards ? -1 : 1);
    return mergeSort(this.#count, compare, pause);
  }

  #compare(one: number, other: number, direction: 1 | -1): number {
    const [a, b] = [this.#numbers[one] ?? 0, this.#numbers[other] ?? 0];
    const [isText, isOtherText] = [Number.isNaN(a), Number.isNaN(b)];
    if (!isText && !isOtherText) return direction * (a - b);
    if (isText !== isOtherText) {
      const isEmpty = this.#words.getUint32((isText ? one : other) * bytesPerKey) === 0;
      return (isText ? 1 : -1) * (isEmpty ? 1 : direction);
    }
    for (let at = 0; at < bytesPerKey; at += 4) {
      const x = this.#words.getUint32(one * bytesPerKey + at);
      const y = this.#words.getUint32(other * bytesPerKey + at);
      if (x === y) continue;
      const isWithEmpty = at === 0 && (x === 0 || y === 0);
      return isWithEmpty ? (x === 0 ? 1 : -1) : direction * (x < y ? -1 : 1);
    }
    return 0;
  }
}

/** Grouped digits, a decimal comma, a currency sign and a percent sign belong to a number. */
function numberOf(text: string): number {
  const plain = text.trim();
  if (plain === '' || plain.length > 40 || !/^[-+\p{Sc}]?[\d., ]*\d ?[%\p{Sc}]?$/u.test(plain))
    return Number.NaN;
  const number = Number(withoutGroups(plain.replace(/ ?%$/, '')) || Number.NaN);
  return Number.isFinite(number) ? number : Number.NaN;
}

/** Letters sort without case and accents. */
function foldedStart(text: string): string {
  const start = text.trim().slice(0, bytesPerKey).toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII
  return /^[\u0000-\u007f]*$/.test(start) ? start : normalised(start, 'NFD').replace(/\p{M}/gu, '');
}

const runLength = 2_048;

/** A stable merge sort that lets other work run in between. */
async function mergeSort(
  count: number,
  compare: (one: number, other: number) => number,
  pause: Pause,
): Promise<Int32Array> {
  let sorted = new Int32Array(count);
  for (let start = 0; start < count; start += runLength) {
    const run = sorted.subarray(start, start + runLength);
    for (let at = 0; at < run.length; at++) run[at] = start + at;
    run.sort(compare);
    await pause();
  }
  let merged = new Int32Array(count);
  for (let width = runLength; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      const end = Math.min(start + 2 * width, count);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        if (at % runLength === 0) await pause();
        const takesLeft =
          left < middle &&
          (right >= end || compare(sorted[left] as number, sorted[right] as number) <= 0);
        merged[at] = sorted[takesLeft ? left++ : right++] as number;
      }
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

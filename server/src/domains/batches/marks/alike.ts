import { hashOf, type Words } from './words.ts';

/** Shorter answers, such as names and categories, are often equal for a reason. */
const fewestWords = 8;
const fewestPairsOfSigns = 12;
const fewestCharacters = 40;
/** Rows with nearly the same answer to different prompts before they are marked. */
const many = 5;
/** How many of the smallest word pairs stand for an answer. Most answers have no more. */
const sketchSize = 32;
/** The share of equal pairs from which two answers are nearly identical. */
const alikeShare = 0.6;
/** The smallest pairs of an answer by which similar ones are found. */
const keys = 4;
/** Different answers that are remembered; the oldest goes first. They take 200 KB a batch. */
const maximumGroups = 1_024;
const places = 4 * maximumGroups;

/** Nearly identical answers. */
interface Group {
  /** Hashes of the prompts of the rows after the first, so that equal prompts count once. */
  prompts: number[];
  /** The first rows, which are marked when the group has grown. */
  rows: number[];
  isMarked: boolean;
}

export interface ReadAnswer {
  words: Words;
  characters: number;
  prompt: () => string;
}

/** Finds nearly equal answers of a batch by their smallest word pairs (bottom-k MinHash). */
export class AlikeAnswers {
  readonly #sketches = new Int32Array(maximumGroups * sketchSize);
  readonly #sizes = new Uint8Array(maximumGroups);
  readonly #firstRows = new Int32Array(maximumGroups);
  readonly #groups: (Group | undefined)[] = new Array(maximumGroups).fill(undefined);
  /** The last group that has a pair. */
  readonly #lastWith = new Int16Array(places).fill(-1);
  #added = 0;

  add(row: number, { words, characters, prompt }: ReadAnswer) {
    const none = { isAlike: false, earlier: [] as number[] };
    if (isShort(words, characters)) return none;
    const size = readSketch(words.hashes);
    const found = this.#find(size);
    const place = found ?? this.#remember(row, size);
    for (let at = 0; at < Math.min(keys, size); at++) this.#lastWith[keyOf(at)] = place;
    if (found === null) return none;
    const group = this.#groups[place] ?? this.#begin(place);
    if (group.isMarked) return { isAlike: true, earlier: [] };
    const hash = hashOf(prompt());
    if (group.prompts.includes(hash)) return none;
    group.prompts.push(hash);
    group.rows.push(row);
    if (group.rows.length < many) return none;
    group.isMarked = true;
    return { isAlike: true, earlier: group.rows.slice(0, -1) };
  }

  #begin(place: number): Group {
    const group = { prompts: [], rows: [this.#firstRows[place] as number], isMarked: false };
    this.#groups[place] = group;
    return group;
  }

  #remember(row: number, size: number): number {
    const place = this.#added++ % maximumGroups;
    this.#sketches.set(sketch, place * sketchSize);
    this.#sizes[place] = size;
    this.#firstRows[place] = row;
    this.#groups[place] = undefined;
    return place;
  }

  #find(size: number): number | null {
    let last = -1;
    for (let at = 0; at < Math.min(keys, size); at++) {
      const place = this.#lastWith[keyOf(at)] as number;
      if (place === last || place < 0) continue;
      if (this.#shareOfEqual(place, size) >= alikeShare) return place;
      last = place;
    }
    return null;
  }

  /** Of all smallest pairs of a group and the sketch, the share that both have. */
  #shareOfEqual(place: number, size: number): number {
    const start = place * sketchSize;
    const end = start + (this.#sizes[place] as number);
    let equal = 0;
    let all = 0;
    let left = start;
    let right = 0;
    for (; all < sketchSize && left < end && right < size; all++) {
      const one = this.#sketches[left] as number;
      const other = sketch[right] as number;
      if (one === other) equal++;
      if (one <= other) left++;
      if (one >= other) right++;
    }
    return equal / Math.min(sketchSize, all + end - left + size - right);
  }
}

function isShort({ hashes }: Words, characters: number): boolean {
  // A pair of signs of a script without spaces counts as a word.
  const isUnspaced = hashes.length * 2 > characters;
  if (isUnspaced) return hashes.length < fewestPairsOfSigns;
  return characters < fewestCharacters || hashes.length < fewestWords;
}

/** The smallest word pairs of this answer, sorted. Reused: new lists would take longest. */
const sketch = new Int32Array(sketchSize);
const keyOf = (at: number) => (sketch[at] as number) & (places - 1);

/** Fills the sketch and returns its size. */
function readSketch(hashes: readonly number[]): number {
  let size = 0;
  for (let at = 0; at + 1 < hashes.length; at++) {
    const pair = mixed(Math.imul(hashes[at] as number, 31) ^ (hashes[at + 1] as number));
    if (size === sketchSize && pair >= (sketch[size - 1] as number)) continue;
    let place = size < sketchSize ? size++ : size - 1;
    for (; place > 0 && (sketch[place - 1] as number) > pair; place--)
      sketch[place] = sketch[place - 1] as number;
    sketch[place] = pair;
  }
  return size;
}

/** Every bit of a hash counts afterwards. */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return half ^ (half >>> 13);
}

import { ownLetters, type scriptNames, scripts } from './language-words.ts';

/** No more of an answer is read: more text does not make the marks surer. */
const readCharacters = 600;

/** What a text is made of. Words are numbers, because strings take ten times as long. */
export interface Words {
  /** A number for each word or figure, in order, or each pair of signs without spaces. */
  hashes: readonly number[];
  /** How many of them are words. */
  count: number;
  /** How many letters of each script, by its place in `scripts`. */
  letters: Uint16Array;
  /** A bit for each entry of `ownLetters` that was met. */
  own: number;
}

const punctuation = '×÷;·՝։׀׃،؛؟۔।॥・';
const scriptOf = scriptsByLetter();
const ownOf = ownByLetter();
const placeOf = (name: (typeof scriptNames)[number]) => scripts.findIndex(([one]) => one === name);
const figures = placeOf('figures');
const unspaced = new Uint8Array(scripts.length);
for (const name of ['ja', 'zh', 'th'] as const) unspaced[placeOf(name)] = 1;

/** For each character the index of its script; 0 for other characters than letters. */
function scriptsByLetter(): Uint8Array {
  const letters = new Uint8Array(0x1_0000);
  for (const [place, [, ranges]] of scripts.entries())
    for (const [from, to] of ranges) letters.fill(place, from, to + 1);
  for (const sign of punctuation) letters[sign.charCodeAt(0)] = 0;
  return letters;
}

function ownByLetter(): Int32Array {
  const own = new Int32Array(0x2000);
  for (const [index, [letters]] of ownLetters.entries())
    for (const letter of letters) own[letter.charCodeAt(0)] = 1 << index;
  return own;
}

/** FNV-1a. */
const firstHash = 0x811c9dc5 | 0;
const added = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193);

export function hashOf(text: string): number {
  let hash = firstHash;
  for (let at = 0; at < text.length; at++) hash = added(hash, text.charCodeAt(at));
  return hash;
}

/** Reads the start of a text once, for all that its words tell. */
export function readWords(text: string): Words {
  const read = text.slice(0, readCharacters).toLowerCase();
  const letters = new Uint16Array(scripts.length);
  const hashes: number[] = [];
  let own = 0;
  let count = 0;
  let hash = firstHash;
  let length = 0;
  let hasFigure = false;
  for (let at = 0; at <= read.length; at++) {
    const code = at < read.length ? read.charCodeAt(at) : 0;
    const script = scriptOf[code] as number;
    const isUnspaced = unspaced[script] === 1;
    if (length > 0 && (script === 0 || isUnspaced)) {
      hashes.push(hash);
      if (!hasFigure) count++;
      hash = firstHash;
      length = 0;
      hasFigure = false;
    }
    if (code > 0x7f && code < 0x2000) own |= ownOf[code] as number;
    if (script === 0) continue;
    if (script === figures) hasFigure = true;
    else letters[script] = (letters[script] as number) + 1;
    if (isUnspaced && at > 0) hash = added(hash, read.charCodeAt(at - 1));
    hash = added(hash, code);
    length++;
  }
  return { hashes, count, letters, own };
}

const tableSize = 2 ** 13;

/** The languages that have a word, by its number. One look-up shows that most words are in none. */
export class LanguagesOfWords {
  readonly #hashes = new Int32Array(tableSize);
  readonly #languages: (readonly number[] | undefined)[] = new Array(tableSize).fill(undefined);

  /** Languages are given as numbers. */
  add(word: string, language: number): void {
    const place = this.#placeOf(hashOf(word));
    this.#hashes[place] = hashOf(word);
    this.#languages[place] = [...(this.#languages[place] ?? []), language];
  }

  get(hash: number): readonly number[] | undefined {
    return this.#languages[this.#placeOf(hash)];
  }

  /** Where a word is, or the free place where it would be. */
  #placeOf(hash: number): number {
    let place = hash & (tableSize - 1);
    while (this.#languages[place] !== undefined && this.#hashes[place] !== hash)
      place = (place + 1) & (tableSize - 1);
    return place;
  }
}

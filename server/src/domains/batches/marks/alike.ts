import { comparable } from './text-signs.ts';

/** Shorter answers, such as names and categories, are often equal for a reason. */
const fewestCharacters = 40;
/** Of a longer answer the start is compared. */
const longestRead = 1_500;
/** Rows with nearly the same answer to different prompts before they are marked. */
const many = 5;
const places = 24;
const mostPieces = 150;
/** The share of equal places from which two answers are nearly identical. */
const alikeShare = 0.6;
/** Pairs of places by which similar answers are found; the oldest go first. */
const maximumKeys = 4_096;

interface Group {
  signature: Uint32Array;
  /** By hash, so that equal prompts count once. */
  prompts: Set<number>;
  /** The first rows, which are marked when the group has grown. */
  rows: number[];
  isMarked: boolean;
}

/** Finds answers that are nearly the same as many others of their batch, by the first of their word pairs in several orders (MinHash). */
export class AlikeAnswers {
  readonly #groups = new Map<number, Group>();

  add(row: number, answer: string, prompt: () => string): { isAlike: boolean; earlier: number[] } {
    const text = comparable(answer.slice(0, longestRead));
    const none = { isAlike: false, earlier: [] };
    if (text.length < fewestCharacters && !/[\u3040-\u9fff\uac00-\ud7af]{12}/.test(text))
      return none;
    const signature = signatureOf(text);
    const keys = keysOf(signature);
    const found = keys
      .map((key) => this.#groups.get(key))
      .find((group) => group && shareOfEqual(group.signature, signature) >= alikeShare);
    const group = found ?? { signature, prompts: new Set(), rows: [], isMarked: false };
    for (const key of keys) this.#remember(key, group);
    if (group.isMarked) return { isAlike: true, earlier: [] };
    const hash = hashOf(prompt());
    if (group.prompts.has(hash)) return none;
    group.prompts.add(hash);
    if (group.prompts.size < many) {
      group.rows.push(row);
      return none;
    }
    const earlier = group.rows;
    group.isMarked = true;
    group.rows = [];
    group.prompts.clear();
    return { isAlike: true, earlier };
  }

  #remember(key: number, group: Group): void {
    this.#groups.delete(key);
    this.#groups.set(key, group);
    if (this.#groups.size <= maximumKeys) return;
    const [oldest] = this.#groups.keys();
    if (oldest !== undefined) this.#groups.delete(oldest);
  }
}

/** For each place another order of all pieces, and the first of them in it. */
function signatureOf(text: string): Uint32Array {
  const signature = new Uint32Array(places).fill(0xffffffff);
  const words = text.split(' ');
  const isUnspaced = text.length > words.length * 20;
  const pieces = isUnspaced
    ? Array.from({ length: Math.max(1, text.length - 2) }, (_, at) => text.slice(at, at + 3))
    : words.map((word, at) => `${word} ${words[at + 1] ?? ''}`);
  for (const piece of pieces.slice(0, mostPieces)) {
    const hash = hashOf(piece);
    for (let place = 0; place < places; place++) {
      const mixed = Math.imul(hash ^ (place * 0x85ebca6b), 0x9e3779b1);
      const value = (mixed ^ (mixed >>> 15)) >>> 0;
      if (value < (signature[place] as number)) signature[place] = value;
    }
  }
  return signature;
}

/** A key for each pair of places. */
function keysOf(signature: Uint32Array): number[] {
  const keys: number[] = [];
  for (let place = 0; place < places; place += 2)
    keys.push(
      (Math.imul(signature[place] ?? 0, 31) ^ (signature[place + 1] ?? 0) ^ (place << 26)) >>> 0,
    );
  return keys;
}

function shareOfEqual(one: Uint32Array, other: Uint32Array): number {
  let equal = 0;
  for (let place = 0; place < places; place++) if (one[place] === other[place]) equal++;
  return equal / places;
}

/** FNV-1a, mixed at the end so that every bit counts. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  const step = Math.ceil(text.length / 4_000);
  for (let at = 0; at < text.length; at += Math.max(1, step))
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

import type { Readable } from 'node:stream';

/** A file of this machine that is there until it is given back. */
export interface LocalCopy extends AsyncDisposable {
  path: string;
}

/** Where files are kept. Keys are made by us; no name that somebody else chose ever reaches the storage. */
export interface FileStore {
  /** A path of this machine for a file that is being made. What is left there is swept away at the next start. */
  temporaryPath(): string;
  /** Makes a finished file of a temporary one. */
  keep(path: string, key: string): Promise<void>;
  open(key: string): Promise<Readable>;
  /** So much is read at once when a file is read on and on: a question costs a disk nothing, and a store over there much. */
  readonly pieceBytes: number;
  readRange(key: string, from: number, to: number): Promise<Buffer>;
  fetch(key: string): Promise<LocalCopy>;
  remove(key: string): Promise<void>;
  discard(path: string): Promise<void>;
  sweep(): Promise<void>;
  /** The keys of what is kept and has not changed since then; that of a folder where nothing is in it. */
  unchangedSince(instant: Date): AsyncIterable<string>;
}

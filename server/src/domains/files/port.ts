import type { Readable } from 'node:stream';

/** A file on this machine that exists until it is disposed of. */
export interface LocalCopy extends AsyncDisposable {
  path: string;
}

/**
 * Storage for uploaded files. The server makes all keys; they contain no names of users. Reading an
 * absent one fails with the code `ENOENT`.
 */
export interface FileStore {
  /** A local path for a file being written. */
  temporaryPath(): string;
  /** Moves a finished temporary file into the store. */
  store(path: string, key: string): Promise<void>;
  open(key: string): Promise<Readable>;
  /** Bytes per sequential read: range reads are cheap on disk and expensive on S3. */
  readonly chunkBytes: number;
  readRange(key: string, from: number, to: number): Promise<Buffer>;
  fetch(key: string): Promise<LocalCopy>;
  remove(key: string): Promise<void>;
  /** Deletes a temporary file. */
  discard(path: string): Promise<void>;
  /** Deletes temporary files not changed since then, which killed processes have left. */
  sweep(instant: Date): Promise<void>;
  /** Keys of stored files not changed since then, and of empty folders. */
  unchangedSince(instant: Date): AsyncIterable<string>;
  /** Throws ServiceUnavailable, with the reason, while the store cannot be used. */
  check(): Promise<void>;
}

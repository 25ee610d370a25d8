import { closeSync, fstat, openSync, read, write } from 'node:fs';
import { promisify } from 'node:util';

const fstatOf = promisify(fstat);
const readFrom = promisify(read);
const writeTo = promisify(write);

/**
 * A file of a worker thread that may be terminated at any moment. Node closes its open files, but
 * loses a descriptor that is still being opened. So this opens at once.
 */
export class ThreadFile implements Disposable {
  readonly path: string;
  readonly #descriptor: number;

  constructor(path: string, flags: 'r' | 'w') {
    this.path = path;
    this.#descriptor = openSync(path, flags);
  }

  stat() {
    return fstatOf(this.#descriptor);
  }

  /** Fills the buffer from this position of the file, as far as it has bytes. */
  read(buffer: Buffer, position: number) {
    return readFrom(this.#descriptor, buffer, 0, buffer.length, position);
  }

  write(bytes: Buffer, from: number) {
    return writeTo(this.#descriptor, bytes, from);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

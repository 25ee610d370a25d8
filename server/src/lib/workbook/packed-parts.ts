import { closeSync, openSync } from 'node:fs';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import * as texts from '../../texts/sheets.ts';
import { SheetRefused } from '../csv/sheet.ts';
import { workbookLimits, workbookTooLarge } from './limits.ts';

/**
 * The parts of a workbook's archive. `yauzl` ends a part that unpacks to another size than the
 * directory says, so the limits hold for what is really read.
 */
export class PackedParts implements AsyncDisposable {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(path: string): Promise<PackedParts> {
    // As in `ThreadFile`: a thread that is ended loses a descriptor that is still being opened.
    const descriptor = openSync(path, 'r');
    const zip = await fromFdPromise(descriptor, { autoClose: false }).catch((error) => {
      closeSync(descriptor);
      throw notAWorkbook(error);
    });
    try {
      return new PackedParts(zip, await listEntries(zip));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  has(path: string): boolean {
    return this.#entries.has(path.toLowerCase());
  }

  /** Ending the loop early stops the unpacking. */
  async *read(path: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(path.toLowerCase());
    if (!entry) throw new SheetRefused('unreadable', texts.workbookWithoutPart(path));
    const stream = await this.#zip.openReadStreamPromise(entry).catch((error) => {
      throw damaged(error);
    });
    try {
      for await (const piece of stream) yield piece as Buffer;
    } catch (error) {
      throw error instanceof SheetRefused ? error : damaged(error);
    } finally {
      stream.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#zip.close();
  }
}

function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const { promise, resolve, reject } = Promise.withResolvers<Map<string, Entry>>();
  const entries = new Map<string, Entry>();
  let total = 0;
  if (zip.entryCount > workbookLimits.entries) throw workbookTooLarge();
  zip.on('error', (error) => reject(damaged(error)));
  zip.on('end', () => resolve(entries));
  zip.on('entry', (entry: Entry) => {
    total += entry.uncompressedSize;
    if (entry.isEncrypted()) return reject(new SheetRefused('unreadable', texts.lockedWorkbook));
    if (total > workbookLimits.unpackedBytes || isInflated(entry))
      return reject(workbookTooLarge());
    entries.set(entry.fileName.toLowerCase(), entry);
    zip.readEntry();
  });
  zip.readEntry();
  return promise;
}

function isInflated({ compressedSize, uncompressedSize }: Entry): boolean {
  const { ratio, ratioFrom } = workbookLimits;
  return uncompressedSize > ratioFrom && uncompressedSize > compressedSize * ratio;
}

function notAWorkbook(cause: unknown): SheetRefused {
  return Object.assign(new SheetRefused('not_a_sheet', texts.damagedArchive), { cause });
}

function damaged(cause: unknown): SheetRefused {
  return Object.assign(new SheetRefused('unreadable', texts.damagedWorkbook), { cause });
}

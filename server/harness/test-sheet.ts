import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cutOriginal } from '../src/lib/csv/append/cut-original.ts';
import { importFile } from '../src/lib/csv/import/import-file.ts';
import { type Dialect, type ImportLimits, SheetRefused } from '../src/lib/csv/sheet.ts';

export const usualLimits: ImportLimits = {
  bytes: 200 * 1024 * 1024,
  rows: 1_000_000,
  columns: 200,
  recordBytes: 256 * 1024,
  cellBytes: 100 * 1024,
  growth: 20,
};

interface ImportOptions {
  limits?: Partial<ImportLimits>;
  dialect?: Partial<Dialect>;
  name?: string;
}

/** An upload and its rows file in a temporary folder. */
export class SheetOnDisk implements AsyncDisposable {
  readonly source: string;
  readonly target: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.source = join(folder, 'upload.csv');
    this.target = join(folder, 'rows.jsonl');
  }

  static async of(content: string | Buffer): Promise<SheetOnDisk> {
    const sheet = new SheetOnDisk(await mkdtemp(join(tmpdir(), 'sheet-')));
    await writeFile(sheet.source, content);
    return sheet;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}

export async function importContent(
  content: string | Buffer,
  { limits, ...options }: ImportOptions = {},
) {
  await using disk = await SheetOnDisk.of(content);
  const { source, target } = disk;
  const sheet = await importFile({
    source,
    target,
    limits: { ...usualLimits, ...limits },
    ...options,
  });
  const rows = await readRows(target, { from: 0, to: sheet.offsets.at(-1) ?? 0 });
  // Empty cells at the end of a row are not stored; domains/files adds them again.
  const missing = (row: string[]) => Array<string>(sheet.columns.length - row.length).fill('');
  return { sheet, rows: rows.map((row) => [...row, ...missing(row)]) };
}

export async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SheetRefused)) throw new Error('nothing was refused', { cause: error });
  return { kind: error.kind, line: error.line, message: error.message };
}

/** The rows between two offsets of a rows file; each is a row's start or the file's end. */
export async function readRows(
  file: string,
  { from, to }: { from: number; to: number },
): Promise<string[][]> {
  const bytes = Buffer.allocUnsafe(to - from);
  await using handle = await open(file);
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
    if (bytesRead === 0) throw new RangeError(`${file} ends before byte ${to}`);
    filled += bytesRead;
  }
  // JSON escapes line ends within cells, so every raw line end ends a row.
  return JSON.parse(`[${bytes.toString('utf8').trimEnd().replaceAll('\n', ',')}]`);
}

/** What the pieces of a file are together, and how many of them are rows. */
export async function cutWhole(source: AsyncIterable<Buffer>, dialect: Dialect) {
  const { pieces } = await cutOriginal(source, { dialect, rows: 0, keepsRepeatedHeaders: false });
  const bytes: Buffer[] = [];
  let rows = 0;
  for await (const some of pieces)
    for (const piece of some) {
      bytes.push(piece.bytes);
      if (piece.row !== null) rows += 1;
    }
  return { bytes: Buffer.concat(bytes), rows };
}

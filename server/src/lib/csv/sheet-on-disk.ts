import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Dialect,
  type ImportedSheet,
  type ImportLimits,
  importFile,
  SheetRefused,
} from './import-file.ts';
import { readRows } from './read-rows.ts';

export const roomyLimits: ImportLimits = {
  bytes: 200 * 1024 * 1024,
  rows: 1_000_000,
  columns: 200,
  recordBytes: 256 * 1024,
  cellBytes: 100 * 1024,
  targetBytes: 4_000_000_000,
};

interface Choices {
  limits?: Partial<ImportLimits>;
  dialect?: Partial<Dialect>;
}

/** For tests: a folder of its own that is gone at the end. */
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
  { limits, dialect }: Choices = {},
): Promise<{ sheet: ImportedSheet; rows: string[][] }> {
  await using disk = await SheetOnDisk.of(content);
  const { source, target } = disk;
  const sheet = await importFile({
    source,
    target,
    limits: { ...roomyLimits, ...limits },
    dialect,
  });
  return { sheet, rows: await readRows(target, { from: 0, to: sheet.offsets.at(-1) ?? 0 }) };
}

export async function refusalOf(
  work: Promise<unknown>,
): Promise<{ kind: string; line: number | null; message: string }> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SheetRefused)) throw new Error('nothing was refused', { cause: error });
  return { kind: error.kind, line: error.line, message: error.message };
}

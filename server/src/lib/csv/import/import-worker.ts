import { parentPort } from 'node:worker_threads';
import { type ImportedSheet, type ImportInput, type RefusalKind, SheetRefused } from '../sheet.ts';
import { importFile } from './import-file.ts';

export type WorkerAnswer =
  | { sheet: ImportedSheet }
  | { refusal: { kind: RefusalKind; message: string; line: number | null } };

/** A refusal is an answer. Any other error ends the worker, and the main thread sees it. */
async function answer(input: ImportInput): Promise<WorkerAnswer> {
  try {
    return { sheet: await importFile(input) };
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error;
    return { refusal: { kind: error.kind, message: error.message, line: error.line } };
  }
}

parentPort?.on('message', async (input: ImportInput) =>
  parentPort?.postMessage(await answer(input)),
);

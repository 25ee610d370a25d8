import { parentPort } from 'node:worker_threads';
import { importFile } from './import-file.ts';
import type { ImportedSheet, ImportInput } from './sheet.ts';
import { type RefusalKind, SheetRefused } from './sheet-refused.ts';

export type WorkerAnswer =
  | { sheet: ImportedSheet }
  | { refusal: { kind: RefusalKind; message: string; line: number | null } };

/** A refusal is an answer; anything else that is thrown ends the worker, and the main side sees it. */
async function answer(input: ImportInput): Promise<WorkerAnswer> {
  try {
    return { sheet: await importFile(input) };
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error;
    return { refusal: { kind: error.kind, message: error.message, line: error.line } };
  }
}

/** One sheet, and the thread ends: what it took goes back with it. */
parentPort?.once('message', async (input: ImportInput) =>
  parentPort?.postMessage(await answer(input)),
);

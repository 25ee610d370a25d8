import { parentPort, workerData } from 'node:worker_threads';
import { importFile } from './import-file.ts';
import type { ImportedSheet } from './sheet.ts';
import { type RefusalKind, SheetRefused } from './sheet-refused.ts';

export type WorkerAnswer = { sheet: ImportedSheet } | { refusal: { kind: RefusalKind; message: string; line: number | null } };

/** A refusal is an answer; anything else that is thrown ends the worker, and the main side sees it. */
async function answer(): Promise<WorkerAnswer> {
  try {
    return { sheet: await importFile(workerData) };
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error;
    return { refusal: { kind: error.kind, message: error.message, line: error.line } };
  }
}

parentPort?.postMessage(await answer());

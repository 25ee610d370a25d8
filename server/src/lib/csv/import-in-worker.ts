import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { Turnstile } from '../turnstile.ts';
import type { WorkerAnswer } from './import-worker.ts';
import type { ImportedSheet, ImportInput } from './sheet.ts';
import { SheetRefused } from './sheet-refused.ts';

/**
 * The limits of an import bound what it takes, to a fraction of this. It is the second line: memory that creeps past it ends
 * the worker alone, though one allocation far larger than it would end the process too.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** So many at once; the others wait, for a hundred threads would take the memory of a hundred. */
const places = [new Turnstile(), new Turnstile()];
let imports = 0;

/** Imports away from the main thread. A target that is not whole is deleted. */
export async function importInWorker(input: ImportInput): Promise<ImportedSheet> {
  const place = places[imports++ % places.length] as Turnstile;
  try {
    const answer = await place.pass(() => runWorker(input));
    if ('sheet' in answer) return answer.sheet;
    throw revive(answer.refusal);
  } catch (error) {
    await rm(input.target, { force: true });
    throw error;
  }
}

/** To load its code takes a thread longer than to read a small sheet, so that a server keeps one in reserve. */
let reserve: Worker | null = null;
let keepsReserve = false;

export function keepImporterInReserve(): void {
  keepsReserve = true;
  reserve ??= startWorker();
  reserve.unref();
}

function startWorker(): Worker {
  return new Worker(new URL('./import-worker.ts', import.meta.url), { resourceLimits });
}

function runWorker(input: ImportInput): Promise<WorkerAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
  const worker = reserve ?? startWorker();
  reserve = null;
  worker.ref();
  worker.postMessage(input);
  let answer: WorkerAnswer | undefined;
  let failure: unknown;
  worker.on('message', (message: WorkerAnswer) => {
    answer = message;
  });
  worker.on('error', (error) => {
    failure = isOutOfMemory(error) ? tooHeavy(error) : error;
  });
  // Only an ended worker has closed its files, so that a target can be deleted for good.
  worker.on('exit', (code) => {
    if (keepsReserve) keepImporterInReserve();
    if (answer) resolve(answer);
    else reject(failure ?? new Error(`the import ended with code ${code}`));
  });
  return promise;
}

function revive({
  kind,
  message,
  line,
}: Extract<WorkerAnswer, { refusal: object }>['refusal']): SheetRefused {
  return Object.assign(new SheetRefused(kind, message), { line });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooHeavy(cause: unknown): SheetRefused {
  return Object.assign(
    new SheetRefused('too_large', 'The file takes more memory to read than there is for it.'),
    { cause },
  );
}

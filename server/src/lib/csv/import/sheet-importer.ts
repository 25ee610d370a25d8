import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import * as texts from '../../../texts/sheets.ts';
import { type TurnBounds, Turns } from '../../turns.ts';
import { type ImportedSheet, type ImportInput, SheetRefused } from '../sheet.ts';
import type { WorkerAnswer } from './import-worker.ts';

/**
 * The import limits keep memory at a fraction of this. Memory that creeps past it ends only the worker; a single much
 * larger allocation would end the process.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** Of the largest workbook that is read, with much to spare. Only a hostile file takes longer, in a place that others wait for. */
export const importCpuSeconds = 120;
const watchMilliseconds = 250;

/** Of the rows file. */
const smallBytes = 1024 * 1024;

/** Imports sheets in worker threads, a few at a time to bound the memory they need, in turn for each person. */
export class SheetImporter {
  readonly #turns: Turns;
  readonly #cpuSeconds: number;
  #spare: Worker | null = null;
  #keepsSpare = false;

  constructor(bounds: TurnBounds, { cpuSeconds = importCpuSeconds } = {}) {
    this.#turns = new Turns(bounds);
    this.#cpuSeconds = cpuSeconds;
  }

  /** Deletes an incomplete target. */
  async import(person: string, input: ImportInput): Promise<ImportedSheet> {
    try {
      const answer = await this.#turns.run(person, () => this.#run(input));
      if ('sheet' in answer) return answer.sheet;
      const { kind, message, line } = answer.refusal;
      throw Object.assign(new SheetRefused(kind, message), { line });
    } catch (error) {
      await rm(input.target, { force: true });
      throw error;
    }
  }

  /** Keeps one worker started, because loading its code takes longer than reading a small sheet. */
  keepSpare(): void {
    this.#keepsSpare = true;
    this.#spare ??= startWorker();
    this.#spare.unref();
  }

  #run(input: ImportInput): Promise<WorkerAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
    const worker = this.#spare ?? startWorker();
    this.#spare = null;
    worker.ref();
    worker.postMessage(input);
    let answer: WorkerAnswer | undefined;
    let failure: unknown;
    const endWatch = whenUsed(worker, this.#cpuSeconds, () => {
      failure = new SheetRefused('too_large', texts.tooMuchTime);
      void worker.terminate();
    });
    worker.on('message', (message: WorkerAnswer) => {
      answer = message;
      endWatch();
      if (this.#spare || !this.#keepsSpare || !isSmall(message)) {
        void worker.terminate();
        return;
      }
      // Without a name, it would remove a listener of Node too.
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      this.#spare = worker;
      this.keepSpare();
      resolve(message);
    });
    worker.on('error', (error) => {
      failure = isOutOfMemory(error) ? tooMuchMemory(error) : error;
    });
    // Waits for the exit: only then are the worker's files closed and an incomplete target can be deleted.
    worker.on('exit', (code) => {
      endWatch();
      if (this.#keepsSpare) this.keepSpare();
      if (answer) resolve(answer);
      else reject(failure ?? new Error(`the import ended with code ${code}`));
    });
    return promise;
  }
}

/** Acts once the thread has used so much CPU from now on. Returns what ends the watch. */
function whenUsed(worker: Worker, seconds: number, act: () => void): () => void {
  let before: number | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearInterval(timer);
  };
  const look = async () => {
    const { user, system } = await worker.cpuUsage();
    const used = (user + system) / 1_000_000;
    before ??= used;
    if (isOver || used - before <= seconds) return;
    end();
    act();
  };
  // A thread that has ended answers no more.
  const timer = setInterval(() => look().catch(() => {}), watchMilliseconds).unref();
  return end;
}

/** What a thread has read before is little memory; after a large sheet or a workbook it ends and returns its memory. */
function isSmall(answer: WorkerAnswer): boolean {
  if (!('sheet' in answer)) return false;
  const { offsets, worksheets } = answer.sheet;
  return worksheets.length === 0 && (offsets.at(-1) ?? 0) <= smallBytes;
}

function startWorker(): Worker {
  return new Worker(new URL('./import-worker.ts', import.meta.url), { resourceLimits });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooMuchMemory(cause: unknown): SheetRefused {
  return Object.assign(new SheetRefused('too_large', texts.tooMuchMemory), { cause });
}

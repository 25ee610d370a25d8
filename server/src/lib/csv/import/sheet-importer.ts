import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import * as texts from '../../../texts/sheets.ts';
import { type EndTurn, TurnRefused, Turns } from '../../turns.ts';
import { ServiceUnavailable } from '../../unavailable.ts';
import { type ImportedSheet, type ImportInput, SheetRefused } from '../sheet.ts';
import type { WorkerAnswer } from './import-worker.ts';

/**
 * Imports need a fraction of this. Slowly growing memory ends only the worker; a single much larger
 * allocation would end the process.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** Far more than the largest workbook needs. Others wait for a hostile file's place. */
export const importCpuSeconds = 120;
/** A file that took this long gives up its place, so that small files do not wait. */
const slowCpuSeconds = 10;
const watchMilliseconds = 250;

/** Up to this size of the rows file a sheet is small. */
const smallBytes = 1024 * 1024;

/** `beside`: the slow file leaves its place. `within`: it keeps it. */
type SlowPlace = 'beside' | 'within';

interface Running {
  leavePlace: EndTurn;
  signal: AbortSignal | undefined;
}

/**
 * Imports sheets in worker threads, a few at a time to bound their memory, in turn for each person.
 * The first slow file runs beside the places, so that one stays free for others.
 */
export class SheetImporter {
  readonly #people: Turns;
  readonly #places: Turns;
  readonly #slowPlaces: SlowPlace[];
  readonly #seconds: { most: number; slow: number };
  #spare: Worker | null = null;
  #keepsSpare = false;

  constructor(
    { perPerson, total }: { perPerson: number; total: number },
    { most = importCpuSeconds, slow = slowCpuSeconds } = {},
  ) {
    this.#people = new Turns({ perPerson });
    this.#places = new Turns({ perPerson, total });
    this.#slowPlaces = ['beside', ...Array<SlowPlace>(total - 1).fill('within')];
    this.#seconds = { most, slow };
  }

  /** Deletes an incomplete target. The signal ends the import. */
  async import(person: string, input: ImportInput, signal?: AbortSignal): Promise<ImportedSheet> {
    const read = (leavePlace: EndTurn) => this.#run(input, { leavePlace, signal });
    const readInPlace = () => this.#places.run(person, read, signal);
    try {
      const answer = await this.#people.run(person, readInPlace, signal);
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

  #run(input: ImportInput, { leavePlace, signal }: Running): Promise<WorkerAnswer> {
    if (signal?.aborted) throw new TurnRefused();
    const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
    const worker = this.#spare ?? startWorker();
    this.#spare = null;
    worker.ref();
    worker.postMessage(input);
    let answer: WorkerAnswer | undefined;
    let failure: unknown;
    let slowPlace: SlowPlace | undefined;
    const fail = (error: Error) => {
      failure = error;
      void worker.terminate();
    };
    const giveUp = () => fail(new TurnRefused());
    signal?.addEventListener('abort', giveUp);
    const { most, slow } = this.#seconds;
    const watches = [
      whenUsed(worker, most, () => fail(new SheetRefused('too_large', texts.tooMuchTime))),
      whenUsed(worker, slow, () => {
        slowPlace = this.#slowPlaces.pop();
        if (slowPlace === 'beside') leavePlace();
        if (!slowPlace) fail(new ServiceUnavailable('Too many slow files are read at once.'));
      }),
    ];
    const endWatch = () => {
      for (const end of watches) end();
      signal?.removeEventListener('abort', giveUp);
      if (slowPlace) this.#slowPlaces.push(slowPlace);
      slowPlace = undefined;
    };
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
    // Waits for the exit, which closes the worker's files: an incomplete target can be deleted.
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

/** A thread has little memory after small sheets; after others it ends to return its memory. */
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

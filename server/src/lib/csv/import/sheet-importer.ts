import { rm, stat } from 'node:fs/promises';
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

/**
 * There is a place for files that need up to this much CPU time each. A small one needs less than
 * 0.1 s. The largest workbook needs far less than the last, after which a file is refused.
 */
export const importSeconds = { quick: 0.5, usual: 10, slow: 120 };
/** A larger file needs more than the quick place has. */
const quickBytes = 8 * 1024 * 1024;
const watchMilliseconds = 100;

const unstarted = 'the import could not start';
/** Node's codes for a thread that could not be started, or its code not be read. */
const unloadedCodes = [
  'ERR_WORKER_INIT_FAILED',
  'ERR_INVALID_PACKAGE_CONFIG',
  'ERR_MODULE_NOT_FOUND',
];

/** Up to this size of the rows file a sheet is small. */
const smallBytes = 1024 * 1024;

interface Place {
  seconds: number;
  turns: Turns;
  next: Place | null;
}

interface Held {
  place: Place;
  endTurn: EndTurn;
}

interface Order {
  person: string;
  input: ImportInput;
  signal: AbortSignal | undefined;
}

type Reading = Order & Held;

/**
 * Imports sheets in worker threads, a few at a time to bound their memory, in turn for each person.
 * A file that takes longer than its place is for moves to a free one. If there is none and others
 * wait, it starts again later in the next place, so that small files wait for no slow ones.
 */
export class SheetImporter {
  readonly #people: Turns;
  readonly #usualPlace: Place;
  readonly #quickPlace: Place;
  #spare: Worker | null = null;

  constructor({ perPerson }: { perPerson: number }, { quick, usual, slow } = importSeconds) {
    const placeFor = (seconds: number, next: Place | null) => {
      return { seconds, turns: new Turns({ perPerson, total: 1 }), next };
    };
    this.#people = new Turns({ perPerson });
    this.#usualPlace = placeFor(usual, placeFor(slow, null));
    this.#quickPlace = placeFor(quick, this.#usualPlace);
  }

  /** Deletes an incomplete target. The signal ends the import. */
  async import(person: string, input: ImportInput, signal?: AbortSignal): Promise<ImportedSheet> {
    const read = async () => {
      const { size } = await stat(input.source);
      const place = size > quickBytes ? this.#usualPlace : this.#quickPlace;
      return this.#readIn(place, { person, input, signal });
    };
    try {
      const answer = await this.#people.run(person, read, signal);
      if ('sheet' in answer) return answer.sheet;
      const { kind, message, line } = answer.refusal;
      throw Object.assign(new SheetRefused(kind, message), { line });
    } catch (error) {
      await rm(input.target, { force: true });
      throw error;
    }
  }

  /** Starts a worker for the next import: loading its code takes longer than a small sheet. */
  prepare(): void {
    if (this.#spare) return;
    try {
      this.#keep(startWorker());
    } catch {
      // No further thread can be started now. The next import tries again, and says so.
    }
  }

  #keep(worker: Worker): void {
    this.#spare = worker;
    worker.unref();
    // Without a listener the process would end, for example when there is no file for its code.
    worker.on('error', () => {
      if (this.#spare === worker) this.#spare = null;
    });
  }

  async #readIn(place: Place, order: Order): Promise<WorkerAnswer> {
    const { person, signal } = order;
    const free = firstFree(place, person);
    const held = free ?? { place, endTurn: await place.turns.take(person, signal) };
    const reading: Reading = { ...order, ...held };
    try {
      const answer = await this.#run(reading);
      if (answer) return answer;
    } finally {
      reading.endTurn();
    }
    return this.#readIn(reading.place, order);
  }

  /** Null: the file is to start again in the place of the reading. */
  #run(reading: Reading): Promise<WorkerAnswer | null> {
    const { input, signal } = reading;
    if (signal?.aborted) throw new TurnRefused();
    const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer | null>();
    const worker = this.#spare ?? startWorker();
    this.#spare = null;
    worker.ref();
    worker.postMessage(input);
    let answer: WorkerAnswer | undefined;
    let failure: unknown;
    let startsAgain = false;
    let isEnding = false;
    const end = () => {
      isEnding = true;
      void worker.terminate();
    };
    const fail = (error: Error) => {
      failure = error;
      end();
    };
    const giveUp = () => fail(new TurnRefused());
    signal?.addEventListener('abort', giveUp);
    const endCpuWatch = watchCpu(worker, (seconds) => {
      if (seconds <= reading.place.seconds) return;
      if (!reading.place.next) fail(new SheetRefused('too_large', texts.tooMuchTime));
      else if (moveOn(reading, reading.place.next)) return;
      else startsAgain = true;
      endWatch();
      end();
    });
    const endWatch = () => {
      endCpuWatch();
      signal?.removeEventListener('abort', giveUp);
    };
    worker.on('message', (message: WorkerAnswer) => {
      answer = message;
      endWatch();
      // An answer may come just after its thread was told to end.
      if (isEnding || this.#spare || !isSmall(message)) return end();
      // Without a name, it would remove a listener of Node too.
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      this.#keep(worker);
      resolve(message);
    });
    worker.on('error', (error) => {
      failure = isOutOfMemory(error) ? tooMuchMemory(error) : unavailableIfUnloaded(error);
    });
    // Waits for the exit, which closes the worker's files: an incomplete target can be deleted.
    worker.on('exit', (code) => {
      endWatch();
      this.prepare();
      if (answer) resolve(answer);
      else if (startsAgain) resolve(null);
      else reject(failure ?? new Error(`the import ended with code ${code}`));
    });
    return promise;
  }
}

/** Tells how much CPU time the thread has used from now on. Returns what ends the watch. */
function watchCpu(worker: Worker, tell: (seconds: number) => void): () => void {
  let before: number | undefined;
  let isOver = false;
  const look = async () => {
    const { user, system } = await worker.cpuUsage();
    const used = (user + system) / 1_000_000;
    before ??= used;
    if (!isOver) tell(used - before);
  };
  // A thread that has ended answers no more.
  const timer = setInterval(() => look().catch(() => {}), watchMilliseconds).unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

function firstFree(from: Place, person: string): Held | null {
  for (let place: Place | null = from; place; place = place.next) {
    const endTurn = place.turns.takeNow(person);
    if (endTurn) return { place, endTurn };
  }
  return null;
}

/** False: no other place is free, and the file has to leave its own to others. */
function moveOn(reading: Reading, next: Place): boolean {
  const { person, place, endTurn } = reading;
  const free = firstFree(next, person);
  if (!free && !place.turns.isAwaited) return true;
  Object.assign(reading, free ?? { place: next });
  if (free) endTurn();
  return free !== null;
}

/** A thread has little memory after small sheets; after others it ends to return its memory. */
function isSmall(answer: WorkerAnswer): boolean {
  if (!('sheet' in answer)) return false;
  const { offsets, worksheets } = answer.sheet;
  return worksheets.length === 0 && (offsets.at(-1) ?? 0) <= smallBytes;
}

function startWorker(): Worker {
  try {
    return new Worker(new URL('./import-worker.ts', import.meta.url), { resourceLimits });
  } catch (cause) {
    throw new ServiceUnavailable(unstarted, { cause });
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Its code is not loaded while the process may open no file. */
function unavailableIfUnloaded(error: Error & { code?: string }): Error {
  if (!unloadedCodes.includes(error.code ?? '')) return error;
  return new ServiceUnavailable(unstarted, { cause: error });
}

function tooMuchMemory(cause: unknown): SheetRefused {
  return Object.assign(new SheetRefused('too_large', texts.tooMuchMemory), { cause });
}

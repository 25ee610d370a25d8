import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { ChatOutcome } from '../../engine/port.ts';
import * as texts from '../../texts/model-calls.ts';
import type { Reply } from '../chat-answer.ts';
import type { Connection } from './connections.ts';

/** The longest delay of setTimeout; with a longer one it fires at once. */
const maxTimerMilliseconds = 2 ** 31 - 1;

export type Failure = 'aborted' | 'late' | 'too_large' | Error;
/** `isAnswered`: the answer began to arrive, so it is paid. */
export type Result = Reply | { failure: Failure; isAnswered: boolean };

interface Limits {
  milliseconds: number;
  bytes: number;
  signal: AbortSignal | null;
}

/** No connection could be opened, whatever the prompt. One prompt may cause a reset. */
const unreachableCodes: ReadonlySet<string> = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'],
]);

export function outcomeOf(failure: Failure, deadlineMilliseconds: number): ChatOutcome {
  if (failure === 'aborted') return { kind: 'aborted' };
  if (failure === 'late')
    return { kind: 'broken', isLate: true, reason: texts.late(deadlineMilliseconds) };
  if (failure === 'too_large') return { kind: 'row_refused', reason: texts.tooLarge };
  // An answer that is no HTTP has a name and an undefined code.
  const code = 'code' in failure && failure.code ? String(failure.code) : failure.name;
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return { kind: 'aborted' };
  if (code === 'UND_ERR_INVALID_ARG')
    return { kind: 'provider_refused', reason: texts.unusableSettings };
  const { hostname = '' } = failure as { hostname?: string };
  const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  const reason = isUnknown ? texts.addressUnknown(hostname) : texts.connectionFailed(code);
  return { kind: 'broken', reason, ...(unreachableCodes.has(code) && { isUnreachable: true }) };
}

/** Releases the connection, and resolves with what `read` returns for the reply. */
export function exchange<T>(
  connection: Connection,
  options: Dispatcher.DispatchOptions,
  limits: Limits,
  read: (result: Result) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onEnd = (result: Result) => {
      connection.release('failure' in result);
      try {
        resolve(read(result));
      } catch (error) {
        reject(error);
      }
    };
    if (limits.signal?.aborted) onEnd({ failure: 'aborted', isAnswered: false });
    else connection.dispatch(options, new Exchange(limits, onEnd));
  });
}

/**
 * A call in flight. It takes 0.05 ms of CPU instead of 0.09 with undici's `request`, which creates
 * a stream for every answer and an abort signal for every deadline.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: Limits;
  readonly #onEnd: (result: Result) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #isDone = false;
  #status = 0;
  #headers: Reply['headers'] = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(limits: Limits, onEnd: (result: Result) => void) {
    this.#limits = limits;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(
      () => this.#fail('late'),
      Math.min(limits.milliseconds, maxTimerMilliseconds),
    );
    if (limits.signal) listenersOf(limits.signal).add(this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isDone) controller.abort(new Error('ended before it was sent'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Reply['headers'],
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limits.bytes) this.#fail('too_large');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [only = Buffer.alloc(0), ...more] = this.#chunks;
    const received = more.length > 0 ? Buffer.concat(this.#chunks) : only;
    const body = decompress(received, this.#headers['content-encoding'], this.#limits.bytes);
    if (body === 'too_large') this.#fail(body);
    else this.#end({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(error);
  }

  readonly #onAbort = () => this.#fail('aborted');

  /** A bad status says more than the reason why the rest of the answer is missing. */
  #fail(failure: Failure): void {
    if (this.#isDone) return;
    const isAnswered = this.#status > 0 && failure !== 'aborted';
    this.#end(
      isAnswered && this.#status >= 300
        ? { status: this.#status, headers: this.#headers, body: Buffer.alloc(0) }
        : { failure, isAnswered },
    );
    this.#controller?.abort(new Error('aborted'));
  }

  #end(result: Result): void {
    if (this.#isDone) return;
    this.#isDone = true;
    clearTimeout(this.#timer);
    if (this.#limits.signal) listenersOf(this.#limits.signal).delete(this.#onAbort);
    this.#onEnd(result);
  }
}

const abortListeners = new WeakMap<AbortSignal, Set<() => void>>();

/** The calls of a slice share a signal. It gets only one listener, because it searches them all. */
function listenersOf(signal: AbortSignal): Set<() => void> {
  const known = abortListeners.get(signal);
  if (known) return known;
  const fresh = new Set<() => void>();
  abortListeners.set(signal, fresh);
  signal.addEventListener('abort', () => {
    for (const listener of fresh) listener();
  });
  return fresh;
}

type Decompress = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Some gateways compress every reply. An unknown or broken one stays as it is, unreadable. */
function decompress(
  body: Buffer,
  encoding: string | string[] | undefined,
  maxOutputLength: number,
): Buffer | 'too_large' {
  const run = encoding === undefined ? undefined : decompressors[`${encoding}`.toLowerCase()];
  if (!run) return body;
  try {
    return run(body, { maxOutputLength });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : body;
  }
}

import { type Dispatcher, Pool } from 'undici';
import type { ChatModel, ChatOutcome, ChatRequest } from '../engine/port.ts';
import { correctionFor, formatInWords, responseFormat } from './answer-format.ts';
import { interpretReply, type Reply } from './chat-answer.ts';

/** An answer goes into one cell of a spreadsheet; a larger one is a mistake or an attack. */
const maxAnswerBytes = 1024 * 1024;
/** Routers list hundreds of models with descriptions. */
const maxListBytes = 8 * 1024 * 1024;
/** The list is a convenience: a page waits no longer for it. */
const listTimeoutMilliseconds = 10_000;
/** The longest delay of setTimeout; with a longer one it fires at once. */
const maxTimerMilliseconds = 2 ** 31 - 1;

export interface OpenAiChatOptions {
  baseUrl: string;
  apiKey: string | null;
  connections: number;
  now(): number;
}

/** Any provider that speaks OpenAI's chat protocol. Redirects are not followed: they would send the key elsewhere. */
export function openAiChat(options: OpenAiChatOptions): ChatModel {
  const base = new URL(options.baseUrl);
  const path = (end: string) => `${base.pathname.replace(/(?<!\/)\/+$/, '')}/${end}${base.search}`;
  const authorization = options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {};
  // The deadline of each call is the only timeout: a model may think for minutes before its first byte. One call per
  // connection, so that aborting a call affects no other.
  const pool = new Pool(base.origin, {
    connections: options.connections,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
  const ask = {
    path: path('chat/completions'),
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...authorization },
  } as const;
  const list = {
    path: path('models'),
    method: 'GET',
    headers: { accept: 'application/json', ...authorization },
  } as const;
  const tokensField = tokensFieldOf(base.hostname);
  return {
    name: base.host,
    async ask(request) {
      const limits = {
        milliseconds: request.deadlineMilliseconds,
        bytes: maxAnswerBytes,
        signal: request.signal,
      };
      const result = await exchange(pool, { ...ask, body: bodyOf(request, tokensField) }, limits);
      return 'failure' in result
        ? outcomeOf(result.failure, request.deadlineMilliseconds)
        : interpretReply(result, options);
    },
    /** Empty when the provider does not tell: a model's name can also be typed. */
    async listModels() {
      const result = await exchange(pool, list, {
        milliseconds: listTimeoutMilliseconds,
        bytes: maxListBytes,
        signal: null,
      });
      return 'failure' in result || result.status !== 200 ? [] : readModels(result.body);
    },
    /** Aborts the calls in flight. */
    async close() {
      await pool.destroy();
    },
  };
}

/** OpenAI's newer models refuse `max_tokens`, the only field that other providers know. */
function tokensFieldOf(host: string): string {
  return /(^|\.)openai(\.azure)?\.com$/.test(host) ? 'max_completion_tokens' : 'max_tokens';
}

function bodyOf(request: ChatRequest, tokensField: string): string {
  const isInWords = request.outputs.length > 0 && request.format === 'words';
  return JSON.stringify({
    model: request.model,
    messages: messagesOf(request, isInWords),
    temperature: request.temperature ?? undefined,
    [tokensField]: request.maxTokens ?? undefined,
    response_format:
      request.outputs.length > 0 && !isInWords ? responseFormat(request.outputs) : undefined,
  });
}

function messagesOf(request: ChatRequest, isInWords: boolean): object[] {
  const { system, outputs, correction } = request;
  const prompt = request.prompt.toWellFormed();
  const content = isInWords ? `${prompt}\n\n${formatInWords(outputs)}` : prompt;
  return [
    ...(system ? [{ role: 'system', content: system.toWellFormed() }] : []),
    { role: 'user', content },
    ...(correction
      ? [
          { role: 'assistant', content: correction.answer },
          { role: 'user', content: correctionFor(correction.problem, outputs) },
        ]
      : []),
  ];
}

function readModels(body: Buffer): { id: string }[] {
  try {
    const { data } = JSON.parse(body.toString()) as { data: { id: unknown }[] };
    return data.flatMap(({ id }) => (typeof id === 'string' ? [{ id }] : []));
  } catch {
    return [];
  }
}

type Failure = 'aborted' | 'late' | 'too_large' | Error;
type Result = Reply | { failure: Failure };

interface Limits {
  milliseconds: number;
  bytes: number;
  signal: AbortSignal | null;
}

function outcomeOf(failure: Failure, deadlineMilliseconds: number): ChatOutcome {
  if (failure === 'aborted') return { kind: 'aborted' };
  if (failure === 'late')
    return {
      kind: 'broken',
      isLate: true,
      reason: `No answer came within ${deadlineMilliseconds / 1_000} seconds.`,
    };
  if (failure === 'too_large')
    return { kind: 'row_refused', reason: 'The answer is larger than 1 MiB.' };
  const code = 'code' in failure ? String(failure.code) : failure.name;
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return { kind: 'aborted' };
  if (code === 'UND_ERR_INVALID_ARG')
    return {
      kind: 'provider_refused',
      reason: 'The provider’s key or address is not valid in a request: check the settings.',
    };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const { hostname = '' } = failure as { hostname?: string };
    const reason = `The provider’s address ${hostname} cannot be found.`;
    return { kind: 'broken', reason, isUnreachable: true };
  }
  const reason = `The connection to the provider failed (${code}).`;
  return { kind: 'broken', reason, isUnreachable: true };
}

function exchange(
  pool: Pool,
  options: Dispatcher.DispatchOptions,
  limits: Limits,
): Promise<Result> {
  if (limits.signal?.aborted) return Promise.resolve({ failure: 'aborted' });
  return new Promise((resolve) => pool.dispatch(options, new Exchange(limits, resolve)));
}

/**
 * A call in flight. Replaces undici's `request`, which creates a stream for every answer and needs an abort signal for every
 * deadline: a call takes 0.05 ms of CPU instead of 0.09.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: Limits;
  readonly #resolve: (result: Result) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #isDone = false;
  #status = 0;
  #headers: Reply['headers'] = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(limits: Limits, resolve: (result: Result) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
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
    this.#end({
      status: this.#status,
      headers: this.#headers,
      body: more.length > 0 ? Buffer.concat(this.#chunks) : only,
    });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(error);
  }

  readonly #onAbort = () => this.#fail('aborted');

  /** A bad status that has arrived says more than the reason why the rest is missing. */
  #fail(failure: Failure): void {
    if (this.#isDone) return;
    const hasBadStatus = this.#status >= 300 && failure !== 'aborted';
    this.#end(
      hasBadStatus
        ? { status: this.#status, headers: this.#headers, body: Buffer.alloc(0) }
        : { failure },
    );
    this.#controller?.abort(new Error('aborted'));
  }

  #end(result: Result): void {
    if (this.#isDone) return;
    this.#isDone = true;
    clearTimeout(this.#timer);
    if (this.#limits.signal) listenersOf(this.#limits.signal).delete(this.#onAbort);
    this.#resolve(result);
  }
}

const abortListeners = new WeakMap<AbortSignal, Set<() => void>>();

/** The calls of a slice share a signal. A signal searches its listeners whenever one is added or removed, so it gets only one. */
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

import { type Dispatcher, Pool } from 'undici';
import type { ChatModel, ChatOutcome, ChatRequest } from '../engine/port.ts';
import { judgeReply, type Reply } from './chat-answer.ts';

/** An answer goes into one cell; what is larger is a mistake or an attack. */
const answerBytes = 1024 * 1024;
/** Routers list hundreds of models with their descriptions. */
const listBytes = 8 * 1024 * 1024;
const listMilliseconds = 10_000;
/** The largest that a timer takes; beyond it, it fires at once. */
const longestTimer = 2 ** 31 - 1;

export interface OpenAiChatOptions {
  baseUrl: string;
  apiKey: string | null;
  connections: number;
  now(): number;
}

/** Any provider that speaks OpenAI's chat protocol. Redirects are not followed: they would carry the key elsewhere. */
export function openAiChat(options: OpenAiChatOptions): ChatModel {
  const base = new URL(options.baseUrl);
  const path = (end: string) => `${base.pathname.replace(/\/+$/, '')}/${end}${base.search}`;
  const authorization = options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {};
  // No time-outs but the deadline of each call: a model may think for minutes before its first byte. One call per
  // connection, so that ending one that hangs ends no other.
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
        bytes: answerBytes,
        signal: request.signal,
      };
      const ending = await exchange(pool, { ...ask, body: bodyOf(request, tokensField) }, limits);
      return 'loss' in ending
        ? judgeLoss(ending.loss, request.deadlineMilliseconds)
        : judgeReply(ending, options);
    },
    /** None when the provider does not say: the list is a convenience, and a model can be typed. */
    async listModels() {
      const ending = await exchange(pool, list, {
        milliseconds: listMilliseconds,
        bytes: listBytes,
        signal: null,
      });
      return 'loss' in ending || ending.status !== 200 ? [] : readModels(ending.body);
    },
    /** Ends what is still under way. */
    async close() {
      await pool.destroy();
    },
  };
}

/** OpenAI's newer models refuse the field that all others know. */
function tokensFieldOf(host: string): string {
  return /(^|\.)openai(\.azure)?\.com$/.test(host) ? 'max_completion_tokens' : 'max_tokens';
}

function bodyOf(request: ChatRequest, tokensField: string): string {
  const user = { role: 'user', content: request.prompt.toWellFormed() };
  return JSON.stringify({
    model: request.model,
    messages: request.system
      ? [{ role: 'system', content: request.system.toWellFormed() }, user]
      : [user],
    temperature: request.temperature ?? undefined,
    [tokensField]: request.maxTokens ?? undefined,
    response_format: request.outputs.length > 0 ? formatOf(request.outputs) : undefined,
  });
}

function formatOf(outputs: readonly string[]): object {
  const properties = Object.fromEntries(outputs.map((output) => [output, { type: 'string' }]));
  const schema = { type: 'object', properties, required: outputs, additionalProperties: false };
  return { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };
}

function readModels(body: Buffer): { id: string }[] {
  try {
    const { data } = JSON.parse(body.toString()) as { data: { id: unknown }[] };
    return data.flatMap(({ id }) => (typeof id === 'string' ? [{ id }] : []));
  } catch {
    return [];
  }
}

type Loss = 'aborted' | 'late' | 'too_large' | Error;
type Ending = Reply | { loss: Loss };

interface Limits {
  milliseconds: number;
  bytes: number;
  signal: AbortSignal | null;
}

function judgeLoss(loss: Loss, deadlineMilliseconds: number): ChatOutcome {
  if (loss === 'aborted') return { kind: 'aborted' };
  if (loss === 'late')
    return {
      kind: 'broken',
      isLate: true,
      reason: `No answer came within ${deadlineMilliseconds / 1_000} seconds.`,
    };
  if (loss === 'too_large')
    return { kind: 'row_refused', reason: 'The answer is larger than 1 MiB.' };
  const code = 'code' in loss ? String(loss.code) : loss.name;
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return { kind: 'aborted' };
  if (code === 'UND_ERR_INVALID_ARG')
    return {
      kind: 'provider_refused',
      reason: 'The key or the address of the provider cannot be sent: look at the settings.',
    };
  return { kind: 'broken', reason: `The connection to the provider failed (${code}).` };
}

function exchange(
  pool: Pool,
  options: Dispatcher.DispatchOptions,
  limits: Limits,
): Promise<Ending> {
  if (limits.signal?.aborted) return Promise.resolve({ loss: 'aborted' });
  return new Promise((resolve) => pool.dispatch(options, new Exchange(limits, resolve)));
}

/**
 * One call on its way. It takes the place of undici's `request`, which makes a stream for every answer and needs an abort
 * signal for every deadline: with them a call costs 0.09 ms of CPU, so it costs 0.05.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: Limits;
  readonly #resolve: (ending: Ending) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #status = 0;
  #headers: Reply['headers'] = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(limits: Limits, resolve: (ending: Ending) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#lose('late'), Math.min(limits.milliseconds, longestTimer));
    if (limits.signal) endersOf(limits.signal).add(this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('over before it began'));
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
    if (this.#size > this.#limits.bytes) this.#lose('too_large');
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
    this.#lose(error);
  }

  readonly #onAbort = () => this.#lose('aborted');

  /** A bad status that has arrived says more than how the rest of the reply was lost. */
  #lose(loss: Loss): void {
    if (this.#isOver) return;
    const isJudged = this.#status >= 300 && loss !== 'aborted';
    this.#end(
      isJudged ? { status: this.#status, headers: this.#headers, body: Buffer.alloc(0) } : { loss },
    );
    this.#controller?.abort(new Error('given up'));
  }

  #end(ending: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (this.#limits.signal) endersOf(this.#limits.signal).delete(this.#onAbort);
    this.#resolve(ending);
  }
}

const enders = new WeakMap<AbortSignal, Set<() => void>>();

/** The calls of a slice share a signal, and a signal walks along its listeners whenever one comes or goes: it gets one alone. */
function endersOf(signal: AbortSignal): Set<() => void> {
  const known = enders.get(signal);
  if (known) return known;
  const fresh = new Set<() => void>();
  enders.set(signal, fresh);
  signal.addEventListener('abort', () => {
    for (const end of fresh) end();
  });
  return fresh;
}

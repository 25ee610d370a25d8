import type { LookupFunction } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';

/** After these calls it is decided whether connections are kept. */
const watchedCalls = 20;
/** At least these broke, and at most every second call found an open connection. */
const brokenCalls = 3;
const callsPerConnection = 2;
/** Then keeping them is tried again: a short disturbance looks the same at first. */
const singleCalls = 1_000;

interface Options {
  /** Replaces the system's own, to refuse addresses. */
  lookup?: LookupFunction;
}

/**
 * The connections to a provider, one for each call in flight. Some servers close theirs after each
 * answer without saying so, and the next call, which is already on its way, is lost. They get a new
 * connection for each call.
 */
export class Connections {
  readonly #kept: FreeConnections;
  readonly #single: FreeConnections;
  #calls = 0;
  #broken = 0;
  #opened = 0;
  #singleLeft = 0;

  constructor(origin: string, { lookup }: Options) {
    // Only the deadline of a call ends it: a model may think for minutes before its first byte. One
    // call per connection, so that aborting one affects no other.
    const connect = connectorFor({ allowH2: false, ...(lookup && { lookup }) });
    const options = { connect, headersTimeout: 0, bodyTimeout: 0, allowH2: false };
    this.#kept = new FreeConnections(() =>
      new Client(origin, options).on('connect', () => this.#opened++),
    );
    this.#single = new FreeConnections(() => new Client(origin, { ...options, pipelining: 0 }));
  }

  /** For the next call. Every connection is released once. */
  take(): Connection {
    if (this.#singleLeft === 0) return this.#kept.take();
    this.#singleLeft--;
    return this.#single.take();
  }

  /** How a call on kept connections ended. */
  note(isBroken: boolean): void {
    if (this.#singleLeft > 0) return;
    this.#calls++;
    if (isBroken) this.#broken++;
    if (this.#calls < watchedCalls) return;
    const isKept = this.#opened * callsPerConnection < this.#calls || this.#broken < brokenCalls;
    if (!isKept) this.#singleLeft = singleCalls;
    this.#calls = this.#broken = this.#opened = 0;
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#kept.destroy(), this.#single.destroy()]);
  }
}

export interface Connection {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** After the call. One that failed closes its connection. */
  release(hasFailed: boolean): void;
}

/**
 * The one that was released last is used first. A pool of undici opens twice as many when answers
 * arrive together, because it learns only in the next turn of the event loop that one is free.
 */
class FreeConnections {
  readonly #open: () => Client;
  readonly #clients = new Set<Client>();
  readonly #free: Connection[] = [];
  #isDestroyed = false;

  constructor(open: () => Client) {
    this.#open = open;
  }

  take(): Connection {
    return this.#free.pop() ?? this.#add();
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await Promise.all([...this.#clients].map((client) => client.destroy()));
  }

  #add(): Connection {
    const client = this.#open();
    if (this.#isDestroyed) void client.destroy();
    this.#clients.add(client);
    const connection: Connection = {
      dispatch: (options, handler) => client.dispatch(options, handler),
      release: (hasFailed) => {
        if (!hasFailed) {
          this.#free.push(connection);
          return;
        }
        this.#clients.delete(client);
        void client.destroy();
      },
    };
    return connection;
  }
}

const interim = Buffer.from('HTTP/1.1 100');
/** Compares one digit first, because it rules out nearly every other answer. */
const isContinue = (chunk: Buffer | null) =>
  chunk !== null && chunk[9] === interim[9] && chunk.subarray(0, interim.length).equals(interim);

/** Some servers send `100 Continue` without being asked, where undici ends the connection. */
function connectorFor(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error) return callback(error, null);
      const read = socket.read.bind(socket);
      socket.read = (size) => {
        let chunk = read(size);
        while (isContinue(chunk)) chunk = chunk.subarray(chunk.indexOf('\r\n\r\n') + 4);
        return chunk;
      };
      callback(null, socket);
    });
}

import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { mostPipelined } from '../../config/limits.ts';
import { siteOf } from '../../domains/requests/rate-limits.ts';
import { networkOf } from '../session-gate.ts';

interface Bounds {
  total: number;
  ofNetwork: number;
  /** A trusted proxy has one address for all its clients, so only the total bounds it. */
  isProxy?: (address: string) => boolean;
}

/**
 * Connections that send nothing belong to no call, so no other bound counts them. Without open
 * files left, the database and stored files could not be reached. A new connection takes the place
 * of one without a call, the oldest of its network or of the largest one, or is closed.
 */
export function boundConnections(server: Server, { total, ofNetwork, isProxy }: Bounds): void {
  const open = new Connections();
  server.on('request', ({ socket }, reply) => open.answers.begin(socket, reply));
  server.on('connection', (socket) => {
    const { remoteAddress: address = '' } = socket;
    // One person may have all networks of an IPv6 /48.
    const network = siteOf(networkOf(address));
    const isNetworkFull = open.countOf(network) >= ofNetwork && !isProxy?.(address);
    const crowded = isNetworkFull ? network : open.count >= total ? open.largestNetwork : null;
    if (crowded !== null && !open.closeUnused(crowded)) socket.destroy();
    else open.add(network, socket);
  });
}

/**
 * The latest answer of each connection until it is sent. A connection that waits for its next
 * request must not keep the last answer in memory, which can have megabytes.
 */
class OpenAnswers {
  readonly #latest = new WeakMap<Socket, ServerResponse>();

  begin(socket: Socket, reply: ServerResponse): void {
    this.#latest.set(socket, reply);
    reply.once('finish', () => {
      if (this.of(socket) === reply) this.#latest.delete(socket);
    });
  }

  of(socket: Socket): ServerResponse | undefined {
    return this.#latest.get(socket);
  }
}

/** Open connections by network, the oldest first. */
class Connections {
  readonly #networks = new Map<string, Set<Socket>>();
  readonly answers = new OpenAnswers();
  count = 0;

  countOf(network: string): number {
    return this.#networks.get(network)?.size ?? 0;
  }

  get largestNetwork(): string {
    let largest = '';
    for (const [network, { size }] of this.#networks)
      if (size > this.countOf(largest)) largest = network;
    return largest;
  }

  add(network: string, socket: Socket): void {
    const sockets = this.#networks.get(network) ?? new Set();
    this.#networks.set(network, sockets.add(socket));
    this.count++;
    socket.once('close', () => this.#remove(network, socket));
  }

  /** False: all have a call. */
  closeUnused(network: string): boolean {
    const isUnused = (socket: Socket) => !this.answers.of(socket);
    const unused = this.#networks.get(network)?.values().find(isUnused);
    if (!unused) return false;
    this.#remove(network, unused);
    unused.destroy();
    return true;
  }

  #remove(network: string, socket: Socket): void {
    const sockets = this.#networks.get(network);
    if (!sockets?.delete(socket)) return;
    this.count--;
    if (sockets.size === 0) this.#networks.delete(network);
  }
}

/**
 * Answers the requests of one connection one after the other. Node starts all that are pipelined at
 * once: 300 connections that read nothing opened 9,300 files and held up all others for 12 s. The
 * framework takes four times as long as Node to begin a request, so it gets none that has to wait:
 * 300 connections with 90 requests each held up all others for 9 s.
 */
export function boundPipelining(server: Server): void {
  const begin = server.listeners('request') as RequestListener[];
  const answers = new OpenAnswers();
  const waiting = new WeakMap<Socket, number>();
  const beginAll: RequestListener = (...call) => {
    for (const listener of begin) listener.apply(server, call);
  };
  server.removeAllListeners('request');
  server.on('request', (request, reply) => {
    const { socket } = request;
    const before = answers.of(socket);
    answers.begin(socket, reply);
    if (!before) return beginAll(request, reply);
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > mostPipelined) return void socket.destroy();
    // Never when the client leaves, so that the request is forgotten.
    before.once('finish', () => {
      waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
      beginAll(request, reply);
    });
  });
}

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { mostPipelined } from '../../config/limits.ts';
import { networkOf } from '../session-gate.ts';

interface Bounds {
  total: number;
  /** Null behind a proxy, which has one address for all clients. */
  ofNetwork: number | null;
}

/**
 * Connections that send nothing belong to no call, so no other bound counts them. Without open
 * files left, the database and stored files could not be reached.
 */
export function boundConnections(server: Server, { total, ofNetwork }: Bounds): void {
  server.maxConnections = total;
  if (ofNetwork === null) return;
  const counts = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = counts.get(network) ?? 0;
    if (count >= ofNetwork) {
      socket.destroy();
      return;
    }
    counts.set(network, count + 1);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 0) - 1;
      if (left > 0) counts.set(network, left);
      else counts.delete(network);
    });
  });
}

/**
 * Answers the requests of one connection one after the other. Node starts all that are pipelined at
 * once: 300 connections that read nothing opened 9,300 files and held up all others for 12 s.
 */
export function boundPipelining(app: FastifyInstance, unreadMilliseconds: number): void {
  const latest = new WeakMap<Socket, ServerResponse>();
  const waiting = new WeakMap<Socket, number>();
  app.addHook('onRequest', async ({ raw: { socket } }, { raw }) => {
    const before = latest.get(socket);
    latest.set(socket, raw);
    if (!before || before.writableFinished) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > mostPipelined) socket.destroy();
    // Never resolved when the client leaves, so that the request is forgotten.
    await new Promise((resolve) => before.once('finish', resolve));
    waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
  });
  // An answer that is not read would hold its connection, files and fair share forever.
  app.addHook('onSend', async ({ raw }) => void raw.socket.setTimeout(unreadMilliseconds));
}

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import { refusedByDatabase } from './connect.ts';
import { postgresConnector } from './postgres-client.ts';
import { openPlain } from './postgres-database.ts';

it('a request is refused as unavailable when the attempt of another connection timed out', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `postgres://rowmill@127.0.0.1:${(silent.address() as AddressInfo).port}/rowmill`;
  const connector = postgresConnector(url);
  const database = openPlain(connector);
  onTestFinished(async () => {
    await database.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const connect = () => new connector.Client(connector).connect();
  // From now on one attempt is made at a time, and all connections share its outcome.
  await expect(connect()).rejects.toThrow('timeout expired');
  const listener = connect().catch((error: Error) => error.message);
  const request = sql`select 1`.execute(database.scopedDb('system'));
  await expect(request).rejects.toThrow(ServiceUnavailable);
  expect(await listener).toBe('timeout expired');
});

it.each([
  ['25006', /cannot do it\. Name a database that can be written\.$/],
  ['42P07', /cannot do it\. It has tables of another program\./],
  ['53300', /cannot do it\. Allow more connections/],
])('a start that PostgreSQL refuses with %s is explained', (code, words) => {
  const cause = Object.assign(new Error('cannot do it'), { code });
  const error = new Error('The database could not be migrated', { cause });
  expect(refusedByDatabase(error)?.message).toMatch(words);
  expect(refusedByDatabase(new Error('another', { cause: new Error('without a code') }))).toBe(
    null,
  );
});

const message = (type: string, ...parts: (string | number[])[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
async function openAt(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `postgres://rowmill@127.0.0.1:${(server.address() as AddressInfo).port}/rowmill`;
  const database = openPlain(postgresConnector(url));
  onTestFinished(async () => {
    await database.close();
    server.close();
  });
  return database;
}
const signedIn = message('R', [0, 0, 0, 0]);
const ready = message('Z', 'I');

it('a request is refused as unavailable by a read-only server, and the next one opens another connection', async () => {
  const refusal = message('E', 'SERROR\0', 'C25006\0', 'Mread-only transaction\0', '\0');
  let connections = 0;
  let closed = 0;
  const readOnly = createServer((socket) => {
    connections++;
    socket.on('close', () => closed++);
    socket.on('error', () => {});
    let answer = Buffer.concat([signedIn, ready]);
    socket.on('data', () => {
      socket.write(answer);
      answer = Buffer.concat([refusal, ready]);
    });
  });
  const database = await openAt(readOnly);
  const request = () => sql`select 1`.execute(database.scopedDb('system'));
  for (let connection = 1; connection < 3; connection++) {
    await expect(request()).rejects.toThrow(ServiceUnavailable);
    await expect.poll(() => closed).toBe(connection);
    expect(connections).toBe(connection);
  }
});

it('a connection that the dying server ends with the handshake ends no process', async () => {
  const exit = message('E', 'SFATAL\0', 'C57P01\0', 'Mterminating connection\0', '\0');
  const dying = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([signedIn, ready, exit])));
  });
  const database = await openAt(dying);
  const request = sql`select 1`.execute(database.scopedDb('system'));
  await expect(request).rejects.toThrow(ServiceUnavailable);
});

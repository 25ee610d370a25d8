import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { ServiceUnavailable } from '../lib/unavailable.ts';
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

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { boundConnections } from './bounds.ts';

async function openServer(bounds: Parameters<typeof boundConnections>[1]) {
  const server = createServer((_request, reply) => reply.end('ok'));
  boundConnections(server, bounds);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** `answered`, or `closed` by the server. */
  return async (from = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const outcome = await Promise.race([
      once(socket, 'data').then(() => 'answered'),
      once(socket, 'close').then(() => 'closed'),
    ]);
    return { socket, outcome };
  };
}

const outcomesOf = (opened: { outcome: string }[]) => opened.map(({ outcome }) => outcome);

it('closes further connections of a network, and no others', async () => {
  const open = await openServer({ total: 100, ofNetwork: 2 });
  const opened = [await open(), await open(), await open(), await open('127.0.0.2')];
  expect(outcomesOf(opened)).toEqual(['answered', 'answered', 'closed', 'answered']);
  opened[0]?.socket.destroy();
  let outcome = 'closed';
  while (outcome === 'closed') ({ outcome } = await open());
  expect((await open()).outcome).toBe('closed');
});

it('bounds all connections, also behind a proxy', async () => {
  const open = await openServer({ total: 3, ofNetwork: null });
  const opened = [await open(), await open(), await open(), await open()];
  expect(outcomesOf(opened)).toEqual(['answered', 'answered', 'answered', 'closed']);
});

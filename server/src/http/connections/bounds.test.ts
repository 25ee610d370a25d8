import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { boundConnections, boundPipelining } from './bounds.ts';

async function openServer(bounds: Parameters<typeof boundConnections>[1]) {
  const server = createServer(({ url }, reply) => {
    if (url === '/held') reply.write('ok');
    else reply.end('ok');
  });
  boundConnections(server, bounds);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Waits until the connection is answered, or closed by the server. */
  return async ({ from = '127.0.0.1', path = '/held' } = {}) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    const closed = once(socket, 'close').then(() => 'closed');
    const outcome = await Promise.race([once(socket, 'data').then(() => 'answered'), closed]);
    return { socket, outcome, closed };
  };
}

const outcomesOf = (opened: { outcome: string }[]) => opened.map(({ outcome }) => outcome);

it('closes further connections of a network whose connections all have a call', async () => {
  const open = await openServer({ total: 100, ofNetwork: 2 });
  const opened = [await open(), await open(), await open(), await open({ from: '127.0.0.2' })];
  expect(outcomesOf(opened)).toEqual(['answered', 'answered', 'closed', 'answered']);
  opened[0]?.socket.destroy();
  let outcome = 'closed';
  while (outcome === 'closed') ({ outcome } = await open());
  expect((await open()).outcome).toBe('closed');
});

it('closes the oldest connection of a network that has no call', async () => {
  const open = await openServer({ total: 100, ofNetwork: 3 });
  const held = await open();
  const unused = [await open({ path: '/' }), await open({ path: '/' })];
  for (const { closed } of unused) {
    expect((await open()).outcome).toBe('answered');
    expect(await closed).toBe('closed');
  }
  expect((await open()).outcome).toBe('closed');
  expect(held.socket.destroyed).toBe(false);
});

it('closes one of the largest network when there are too many of all', async () => {
  const open = await openServer({ total: 3, ofNetwork: 100 });
  const other = await open({ from: '127.0.0.2', path: '/' });
  const [oldest] = [await open({ path: '/' }), await open({ path: '/' })];
  expect((await open({ from: '127.0.0.3' })).outcome).toBe('answered');
  expect(await oldest.closed).toBe('closed');
  expect(other.socket.destroyed).toBe(false);
});

it('counts all networks of an IPv6 /48 as one', () => {
  const server = createServer();
  boundConnections(server, { total: 100, ofNetwork: 1 });
  const open = (remoteAddress: string) => {
    const socket = Object.assign(new PassThrough(), { remoteAddress });
    server.emit('connection', socket);
    return socket;
  };
  const opened = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:2:1::1'].map(open);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
});

it('bounds all connections of a trusted proxy, and those of each network beside it', async () => {
  const isProxy = (address: string) => address === '127.0.0.1';
  const open = await openServer({ total: 4, ofNetwork: 1, isProxy });
  const beside = [await open({ from: '127.0.0.2' }), await open({ from: '127.0.0.2' })];
  expect(outcomesOf(beside)).toEqual(['answered', 'closed']);
  const opened = [await open(), await open(), await open(), await open()];
  expect(outcomesOf(opened)).toEqual(['answered', 'answered', 'answered', 'closed']);
});

it('keeps no answer in memory that a waiting connection has got', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const answers: WeakRef<ServerResponse>[] = [];
  const server = createServer((_, reply) => {
    answers.push(new WeakRef(reply));
    reply.end('ok');
  });
  boundConnections(server, { total: 9, ofNetwork: 9 });
  boundPipelining(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'data');
  await expect
    .poll(() => {
      collectGarbage();
      return answers.map((answer) => answer.deref());
    })
    .toEqual([undefined]);
  expect(socket.destroyed).toBe(false);
});

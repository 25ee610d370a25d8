import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { filePace } from '../../config/limits.ts';
import { NetworkPace, paceNetworks } from './pace.ts';

const { atOnce, perSecond, longestWaitSeconds } = filePace;

it('lets a network make many requests at once and then some a second', () => {
  const pace = new NetworkPace();
  const waits = (network: string, count: number, now: number) =>
    Array.from({ length: count }, () => pace.milliseconds(network, now));
  expect(waits('one', atOnce, 0).every((wait) => wait === 0)).toBe(true);
  expect(waits('one', perSecond, 0).at(-1)).toBeCloseTo(1_000);
  expect(waits('another', 1, 0)).toEqual([0]);
  expect(waits('one', perSecond, 2_000).every((wait) => wait === 0)).toBe(true);
  expect(waits('one', 100 * atOnce, 2_000).at(-1)).toBe(1_000 * longestWaitSeconds);
});

it('holds up files and unknown addresses of a network, not its calls and health checks', async () => {
  const app = Fastify({ trustProxy: true });
  const pace = new NetworkPace({ atOnce: 2, perSecond: 0.001, longestWaitSeconds: 1_000 });
  paceNetworks(app, { http: { origins: ['https://own.test'] } }, pace);
  for (const path of ['/api/call', '/health', '/file']) app.get(path, async () => 'ok');
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const ask = async (path: string, header = 'x: y') => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`);
    await once(socket, 'data');
  };
  const from = (address: string) => `x-forwarded-for: ${address}`;
  await ask('/file');
  await ask('/unknown');
  // One person may have all networks of an IPv6 /48.
  await ask('/file', from('2001:db8:1:1::1'));
  await ask('/file', from('2001:db8:1:2::1'));
  let isAnswered = false;
  const held = [
    ask('/file'),
    ask('/healthy'),
    ask('/api/unknown'),
    ask('/api/call', 'origin: https://other.test'),
    ask('/file', from('2001:db8:1:3::1')),
  ];
  Promise.race(held).then(() => {
    isAnswered = true;
  });
  for (const origin of ['x: y', 'origin: https://own.test']) await ask('/api/call', origin);
  await ask('/health');
  await ask('/file', from('2001:db8:2:1::1'));
  expect(isAnswered).toBe(false);
});

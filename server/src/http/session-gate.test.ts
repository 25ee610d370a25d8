import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { requestRate } from '../domains/requests/request-rate.ts';
import { limitNetworks } from './session-gate.ts';

it('counts callers of all networks of an IPv6 /48 as one, and those of the next one apart', async () => {
  const app = Fastify({ trustProxy: true });
  limitNetworks(app);
  app.post('/', async () => 'ok');
  const ask = async (address: string) => {
    // Without a length, a body counts as the largest: 32 calls.
    const headers = { 'x-forwarded-for': address };
    return (await app.inject({ method: 'POST', url: '/', headers })).statusCode;
  };
  const each = Math.floor(requestRate.atOnce / 32) - 6;
  const statuses = await Promise.all(
    Array.from({ length: 4 * each }, (_, at) => ask(`2001:db8:1:${at % 4}::1`)),
  );
  expect(statuses.filter((status) => status !== 200).length).toBeGreaterThan(each);
  expect(await ask('2001:db8:2::1')).toBe(200);
});

import { endpoints } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { mostPipelined, requestTimes } from '../../src/config/limits.ts';
import { fairShares } from '../../src/domains/requests/fair-shares.ts';
import { openSocket } from '../support/raw-request.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

const server = await startTestServer({}, { requestTimes: { ...requestTimes, unread: 500 } });

const health = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';
const answersIn = (text: string) => text.split('HTTP/1.1 200').length - 1;

it('answers requests that are sent at once on one connection in their order', async () => {
  const { socket, answer } = openSocket(server);
  socket.write(health.repeat(mostPipelined) + health.replace('/health', '/health/live'));
  await until(() => answersIn(answer()) === mostPipelined + 1);
  expect(answer().slice(answer().lastIndexOf('\r\n\r\n'))).toBe('\r\n\r\n{"status":true}');
  socket.destroy();
});

it('closes a connection with a dozen requests that wait, before it answers them', async () => {
  const { socket, answer } = openSocket(server);
  socket.write(health.repeat(12));
  await until(() => socket.destroyed);
  expect(answersIn(answer())).toBeLessThan(2);
});

it('closes a connection that sends nothing without an answer, and tells one that is too slow', async () => {
  const strict = await startTestServer({}, { requestTimes: { ...requestTimes, headers: 1_000 } });
  const reserve = openSocket(strict);
  const slow = openSocket(strict);
  slow.socket.write('GET /health HTTP/1.1\r\nhost:');
  await until(() => reserve.socket.destroyed && slow.socket.destroyed);
  expect(reserve.answer()).toBe('');
  expect(slow.answer()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
});

it('frees the places of downloads that are not read', async () => {
  const person = await createUser(server);
  const sheet = `a\n${`${'x'.repeat(50_000)}\n`.repeat(400)}`;
  const { body } = await server.upload(sheet, person);
  const { id } = body.file;
  const path = endpoints.downloadUploadedCsv.path.replace('{id}', id);
  const unreadSockets = Array.from({ length: fairShares.downloads.perPerson }, () => {
    const { socket } = openSocket(server);
    socket.pause();
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${person.token}\r\n\r\n`,
    );
    return socket;
  });
  const again = () => server.download('downloadUploadedCsv', { id }, person).catch(() => null);
  await until(async () => (await again())?.status === 429);
  await until(async () => {
    const answer = await again();
    await answer?.body?.cancel();
    return answer?.ok === true;
  });
  for (const socket of unreadSockets) socket.destroy();
});

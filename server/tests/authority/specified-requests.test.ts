import { once } from 'node:events';
import { connect } from 'node:net';
import { roles } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { startTestServer } from '../support/test-server.ts';
import { createUser } from '../support/users.ts';

/** Requests with the fields that the specification names, whose values it does not show. */
const server = await startTestServer();
const admin = await createUser(server, { roleId: roles.admin });
const client = await createUser(server, { adminId: admin.id, submissions: 20 });

/** Values that the types of the contract do not allow. */
const callWith = <N extends 'askChatGpt' | 'getProcessedFiles'>(name: N, request: object) =>
  server.call(name, request as never, client);

it.each([
  ['the prompt once more', 'Say hi'],
  ['an empty text', ''],
  ['null', null],
])('answers a single prompt when the query is %s', async (_, query) => {
  const request = { question: 'Say hi', query, switchedAs: null, questionWithVariable: null };
  const { status, body } = await callWith('askChatGpt', request);
  expect(status).toBe(200);
  expect(body.answer).toEqual(expect.any(String));
});

it('refuses options that were sent as text, which would have no effect', async () => {
  const request = { question: 'Say hi', query: '{"model":"x"}' };
  const { status, body } = await callWith('askChatGpt', request);
  expect([status, body.fields]).toEqual([422, { query: 'Must be an object.' }]);
});

it('lists with a search, start and limit of null like without them', async () => {
  const request = { start: null, limit: null, search: null, switchedAs: null };
  expect((await callWith('getProcessedFiles', request)).status).toBe(200);
});

it.each(['application/x-www-form-urlencoded', 'text/plain', 'application/json'])(
  'takes an empty body that is said to be %s',
  async (type) => {
    const headers = { 'content-type': type, authorization: `Bearer ${admin.token}` };
    const request = { method: 'POST', headers, body: '' };
    const { status } = await fetch(`${server.app.url}/api/userList`, request);
    expect(status).toBe(200);
  },
);

it('takes a request that names a type and has neither body nor length', async () => {
  const { hostname, port } = new URL(server.app.url);
  const socket = connect(Number(port), hostname);
  const head = 'POST /api/getPlans HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n\r\n';
  socket.write(head);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
});

it('shows an admin the balance of a client who is named as in the list of clients', async () => {
  const { users } = (await server.call('userList', {}, admin)).body;
  const named = users.find(({ id }: { id: string }) => id === client.id);
  const { body } = await server.call('getAvailableCredits', { creditUser: named }, admin);
  expect(body.creditsAvailable).toBe(await server.balance(client));
  expect(body.creditsAvailable).toBeGreaterThan(0);
});

it('lists a hundred clients for an empty body', async () => {
  const manager = await createUser(server, { roleId: roles.admin });
  for (let count = 0; count < 21; count += 1) await createUser(server, { adminId: manager.id });
  expect((await server.call('userList', {}, manager)).body.users).toHaveLength(21);
});

it('says that the profile is saved when the fields of the stored user come back', async () => {
  const { user } = (await server.call('fetchUserDetail', {}, client)).body;
  const { body } = await server.call('verifyAndUpdateUserDetails', user, client);
  expect(body).toMatchObject({ message: 'Profile saved.', user });
});

it('accepts a token in the quotes in which the browser stores it', async () => {
  const quoted = { token: JSON.stringify(client.token) };
  expect((await server.call('fetchUserDetail', {}, quoted)).status).toBe(200);
});

it('sends the uploaded file for the id of a processed file', async () => {
  const text = 'Name\nAda\nBea\n';
  const { file } = (await server.upload(text, client)).body;
  await server.ask(
    { query: { file: file.id, start: true }, questionWithVariable: '{{Name}}' },
    client,
  );
  const { files } = (await server.call('getProcessedFiles', {}, client)).body;
  const id = files[0]?.id ?? '';
  expect(id).not.toBe(file.id);
  expect(await (await server.download('downloadUploadedCsv', { id }, client)).text()).toBe(text);
  const other = await createUser(server);
  expect((await server.download('downloadUploadedCsv', { id }, other)).status).toBe(404);
});

import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { chatRequestFor } from '../../../tests/support/chat-request.ts';
import { providerChat } from '../provider-chat.ts';

const answer = JSON.stringify({ choices: [{ message: { content: 'yes' } }] });

/** An answer over HTTP. */
const reply = `HTTP/1.1 200 OK\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`;

/** A provider that answers some calls on a connection and closes it at the next one. */
async function startProvider(callsPerConnection: number) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let calls = 0;
    socket.on('data', (data) => {
      // The end of the body.
      if (!`${data}`.endsWith('}')) return;
      if (++calls > callsPerConnection) socket.destroy();
      else socket.write(reply);
    });
  });
  return { chat: await openChat(server), sockets };
}

/** Listens, and returns the chat that calls it. */
async function openChat(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const options = { kind: 'openai', baseUrl, apiKey: null } as const;
  const chat = providerChat({ ...options, now: () => 0 });
  onTestFinished(async () => {
    await chat.close();
    server.close();
  });
  return chat;
}

it('names the error of an answer that is no HTTP', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.end('hello\r\n')));
  const chat = await openChat(server);
  const outcome = await chat.ask(chatRequestFor('Hello'));
  expect(outcome).toMatchObject({ reason: expect.stringContaining('(HTTPParserError)') });
});

it.each([
  ['100', [`HTTP/1.1 100 Continue\r\n\r\n`, reply]],
  [
    '100 twice, together with the answer,',
    [`${'HTTP/1.1 100 \r\nvia: a\r\n\r\n'.repeat(2)}${reply}`],
  ],
  ['103', [`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n`, reply]],
])('accepts an answer after a status %s that was not asked for', async (_status, pieces) => {
  const server = createServer((socket) =>
    socket.on('data', async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await setTimeout(10);
      }
    }),
  );
  const chat = await openChat(server);
  for (let call = 0; call < 2; call++)
    expect(await chat.ask(chatRequestFor('Hello'))).toMatchObject({ text: 'yes' });
});

it.each([
  ['that it closes after each answer are not kept', 1, [10, 0, 0], 50],
  ['that stay open are kept', 1_000, [0, 0, 0], 1],
  ['that it closes now and then are kept', 15, [1, 1, 1], 4],
])('connections of a provider %s', async (_how, callsPerConnection, broken, opened) => {
  const { chat, sockets } = await startProvider(callsPerConnection);
  const counts: number[] = [];
  for (let call = 0; call < 60; call++) {
    const { kind } = await chat.ask(chatRequestFor('Hello'));
    const window = Math.floor(call / 20);
    counts[window] = (counts[window] ?? 0) + (kind === 'answered' ? 0 : 1);
  }
  expect(counts).toEqual(broken);
  expect(sockets).toHaveLength(opened);
});

it('opens one connection for each call at once, and uses it again when answers arrive together', async () => {
  const { chat, sockets } = await startProvider(1_000);
  // Each call is sent when another one is answered.
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      for (let call = 0; call < 5; call++) await chat.ask(chatRequestFor('Hello'));
    }),
  );
  expect(sockets).toHaveLength(30);
});

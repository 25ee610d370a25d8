import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { smtpMail } from './smtp-mail.ts';

/** A mail server that accepts everything, and what was said to it. */
async function startMailServer() {
  const said: string[] = [];
  const server = createServer((socket) => {
    socket.write('220 ready\r\n');
    let isContent = false;
    createInterface({ input: socket }).on('line', (line) => {
      said.push(line);
      if (isContent && line !== '.') return;
      isContent = line === 'DATA';
      socket.write(isContent ? '354 go on\r\n' : '250 done\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { said, url: `smtp://127.0.0.1:${port}`, close: () => server.close() };
}

it('sends an email to one address, whatever its text looks like, and closes its connections', async () => {
  const { said, url, close } = await startMailServer();
  const mail = smtpMail({ url, from: 'Rowmill <no-reply@example.test>' });
  const email = { subject: 'Hello', text: 'A batch is done.', html: '<p>A batch is done.</p>' };
  await mail.send({ ...email, to: 'one@example.test' });
  await mail.close();
  close();
  const commands = said.filter((line) => /^(MAIL|RCPT) /.test(line));
  expect(commands).toEqual(['MAIL FROM:<no-reply@example.test>', 'RCPT TO:<one@example.test>']);
  expect(said).toContain('Subject: Hello');
  expect(said).toContain('A batch is done.');
});

import { afterAll, expect, it, onTestFinished } from 'vitest';
import { startMailServer } from '../../../fakes/mail-server.ts';
import { AddressRefused } from '../domains/notifications/port.ts';
import { smtpMail } from './smtp-mail.ts';

const server = await startMailServer();
const mail = smtpMail({ url: server.url, from: 'Rowmill <no-reply@example.test>' });
const email = { subject: 'Hello', text: 'A batch is done.', html: '<p>A batch is done.</p>' };
afterAll(async () => {
  await mail.close();
  server.close();
});

it('sends an email to one address, whatever its text looks like', async () => {
  const { said } = server;
  await mail.send({ ...email, to: 'one@example.test' });
  const commands = said.filter((line) => /^(MAIL|RCPT) /.test(line));
  expect(commands).toEqual(['MAIL FROM:<no-reply@example.test>', 'RCPT TO:<one@example.test>']);
  expect(said).toContain('Subject: Hello');
  expect(said).toContain('A batch is done.');
});

it('says whether the mail server can be used, without an email', async () => {
  const before = server.said.length;
  await mail.check();
  expect(server.said.slice(before).filter((line) => /^(MAIL|RCPT) /.test(line))).toEqual([]);
  const gone = smtpMail({ url: 'smtp://127.0.0.1:1', from: 'no-reply@example.test' });
  onTestFinished(() => gone.close());
  await expect(gone.check()).rejects.toThrow(/ECONNREFUSED/);
});

it.each([
  ['an unknown address', '550 5.1.1 no such user', true],
  ['an address, without an extended code', '550 no such user', true],
  ['an address for now', '450 4.2.1 later', false],
  ['an address without our signing in', '530 5.7.0 authentication required', false],
  ['to relay', '554-5.7.1 relay access denied\r\n554 5.7.1 see the manual', false],
])('knows whether a mail server refuses %s for good', async (_, reply, isForGood) => {
  server.refused.set('two@example.test', reply);
  const error = await mail.send({ ...email, to: 'two@example.test' }).catch((error) => error);
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof AddressRefused).toBe(isForGood);
});

import { expect, it } from 'vitest';
import { startMailServer } from '../../../fakes/mail-server.ts';
import { smtpMail } from './smtp-mail.ts';

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

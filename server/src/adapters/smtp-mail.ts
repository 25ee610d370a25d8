import { createTransport } from 'nodemailer';
import type { Mail, MailTransport } from '../domains/notifications/port.ts';

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Hands mails to a mail server. */
export function smtpMail({ url, from }: { url: string; from: string }): MailTransport {
  const transport = createTransport({ url, pool: true, maxConnections: 2, ...timeouts }, { from });
  return {
    async send({ to, ...mail }: Mail) {
      // As an object, an address is never read as a list of several.
      await transport.sendMail({ ...mail, to: { name: '', address: to } });
    },
    async close() {
      transport.close();
    },
  };
}

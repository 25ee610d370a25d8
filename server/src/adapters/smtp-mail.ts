import { createTransport } from 'nodemailer';
import type { Email, MailTransport } from '../domains/notifications/port.ts';

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends emails through a mail server. */
export function smtpMail({ url, from }: { url: string; from: string }): MailTransport {
  const transport = createTransport({ url, pool: true, maxConnections: 2, ...timeouts }, { from });
  return {
    async send({ to, ...email }: Email) {
      // As an object, an address is never parsed as a list of addresses.
      await transport.sendMail({ ...email, to: { name: '', address: to } });
    },
    async close() {
      transport.close();
    },
  };
}

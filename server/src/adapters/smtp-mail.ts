import { AddressRefused, type Email, type MailTransport } from '../domains/notifications/port.ts';

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

export function smtpMail({ url, from }: { url: string; from: string }): MailTransport {
  // Loaded only for a mail server.
  const opened = import('nodemailer').then(({ createTransport }) =>
    createTransport({ url, pool: true, maxConnections: 2, ...timeouts }, { from }),
  );
  return {
    async send({ to, ...email }: Email) {
      // As an object, an address is never parsed as a list of addresses.
      const transport = await opened;
      await transport
        .sendMail({ ...email, to: { name: '', address: to } })
        .catch((error) => Promise.reject(isAboutAddress(error) ? new AddressRefused() : error));
    },
    async check() {
      await (await opened).verify();
    },
    async close() {
      (await opened).close();
    },
  };
}

/** Replies with 5.7 are about our own rights, such as a wrong password, and can be corrected. */
function isAboutAddress({ command, response = '' }: { command?: string; response?: string }) {
  return command === 'RCPT TO' && /^55\d(?![ -]5\.7\.)/.test(response);
}

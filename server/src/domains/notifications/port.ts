export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** How a mail leaves the house. Throws when it could not be handed over, so that the job tries again. */
export interface MailTransport {
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** A mail that waits in the outbox. */
export interface KeptMail extends Mail {
  id: string;
  sentAt: string;
}

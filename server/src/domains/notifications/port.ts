export interface Email {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** The mail server refuses the address for good, so retries are useless. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** Hands emails over for delivery. Throws when it cannot, so that the job retries. */
export interface MailTransport {
  send(email: Email): Promise<void>;
  /** Throws when it could hand nothing over now. Sends nothing. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** An email that waits in the outbox because no mail server is configured. */
export interface OutboxEmail extends Email {
  id: string;
  sentAt: string;
}

import type { RefusalBody, RefusalCode } from '@rowmill/contract';

/** The server said no, in the contract's words. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly requestId: string;

  constructor(status: number, body: RefusalBody, retryAfterSeconds: number | null) {
    super(retryAfterSeconds ? `${body.message} Try again in ${waitingTime(retryAfterSeconds)}.` : body.message);
    this.name = 'Refusal';
    this.code = body.code;
    this.status = status;
    this.fields = body.fields ?? {};
    this.requestId = body.request_id;
  }
}

function waitingTime(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

/** What to tell a person of whatever went wrong. */
export function wordsFor(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Please try again.';
}

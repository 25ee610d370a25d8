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

/** Rounded up, for who comes a moment too early is refused again. */
export function waitingTime(seconds: number): string {
  return seconds <= 59 ? counted(Math.ceil(seconds), 'second') : counted(Math.ceil(seconds / 60), 'minute');
}

function counted(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

/** What to tell a person of whatever went wrong. */
export function wordsFor(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Please try again.';
}

/** Why the server said no, where a page has an answer of its own to that. */
export function codeOf(error: unknown): RefusalCode | null {
  return error instanceof Refusal ? error.code : null;
}

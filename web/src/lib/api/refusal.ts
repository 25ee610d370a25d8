import type { RefusalBody, RefusalCode } from '@rowmill/contract';
import * as texts from '../../texts/lib.ts';

/** The server said no, in the contract's words. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly requestId: string;

  constructor(status: number, body: RefusalBody, retryAfterSeconds: number | null) {
    super(
      retryAfterSeconds
        ? texts.tryAgainIn({ reason: body.message, wait: formatWait(retryAfterSeconds) })
        : body.message,
    );
    this.name = 'Refusal';
    this.code = body.code;
    this.status = status;
    this.fields = body.fields ?? {};
    this.requestId = body.request_id;
  }
}

/** Rounded up, for who comes a moment too early is refused again. */
export function formatWait(seconds: number): string {
  return seconds <= 59 ? texts.seconds(Math.ceil(seconds)) : texts.minutes(Math.ceil(seconds / 60));
}

/** What to tell a person of whatever went wrong. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : texts.wentWrong;
}

/** Why the server said no, where a page has an answer of its own to that. */
export function refusalCode(error: unknown): RefusalCode | null {
  return error instanceof Refusal ? error.code : null;
}

import { type RefusalCode, refusals } from '@rowmill/contract';

interface Details {
  message?: string;
  fields?: Record<string, string>;
  retryAfterSeconds?: number;
}

/** A refusal to a person, with a code from the contract's closed list. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: RefusalCode, details: Details) {
    super(details.message ?? refusals[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.status = refusals[code].status;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

export function refuse(code: RefusalCode, details: Details = {}): never {
  throw new Refusal(code, details);
}

/** For what cannot happen: the request fails, and the log keeps why. */
export function invariant(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${claim}`);
}

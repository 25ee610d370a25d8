import { type RefusalCode, refusals } from '@rowmill/contract';
import { changedMeanwhile } from '../texts/operators.ts';

interface Details {
  message?: string;
  fields?: Record<string, string>;
  retryAfterSeconds?: number;
}

/** An error for people, with a code of the contract. */
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

/** What is wrong with one field of the request, by its name there. */
export function refuseField(name: string, problem: string): never {
  refuse('invalid_input', { fields: { [name]: problem } });
}

/** Refuses the request when any of its fields has a problem. */
export function refuseFields(problems: Record<string, string>): void {
  if (Object.keys(problems).length > 0) refuse('invalid_input', { fields: problems });
}

/** The second of two operators with the same page open must see the other's change first. */
export function assertUpToDate(
  present: { version: number } | null | undefined,
  version: number | undefined,
): void {
  if (present && present.version !== version) refuse('not_now', { message: changedMeanwhile });
}

/** For states that must be impossible: the request fails and the log has the reason. */
export function invariant(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${claim}`);
}

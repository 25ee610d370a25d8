import type { RefusalBody, RefusalCode } from '@rowmill/contract';
import * as texts from '../../texts/lib.ts';

/** The server refused a call, with a code of the contract. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, body: RefusalBody, retryAfterSeconds: number | null) {
    super(
      retryAfterSeconds
        ? texts.tryAgainIn({ reason: body.message, wait: formatWait(retryAfterSeconds) })
        : body.message,
    );
    this.code = body.code;
    this.status = status;
    this.fields = body.fields ?? {};
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Gateways refuse in JSON of their own, which has nothing to show to people. */
export function refusalOf(status: number, body: unknown, retryAfter: string | null): Error {
  const { message } = (body ?? {}) as Partial<RefusalBody>;
  if (!message) return new Error(texts.unreadableAnswer);
  return new Refusal(status, body as RefusalBody, Number(retryAfter) || null);
}

/** Rounded up, because a try that is slightly too early is refused again. */
export function formatWait(seconds: number): string {
  if (seconds <= 59) return texts.seconds(Math.ceil(seconds));
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? texts.minutes(minutes) : texts.hours(Math.ceil(minutes / 60));
}

/** Names of what the browser throws when the code misreads something, such as a newer answer. */
const mistake = /^(Type|Range|Reference|Syntax)/;

/** Names of what is thrown by storage that is full, or forbidden for the site. */
const storageProblem = /quota|security/i;

export const isStorageProblem = ({ name }: Error) => storageProblem.test(name);

/**
 * A message for people, for every kind of thrown value. Those of mistakes are for developers. A
 * refused request says what is wrong with it: only a form can mark its fields.
 */
export function errorMessage(error: unknown): string {
  if (refusalCode(error) === 'invalid_input') {
    const said = [...new Set(Object.values((error as Refusal).fields))].join(' ');
    if (said) return said;
  }
  const known = error instanceof Error ? error : TypeError();
  if (mistake.test(known.name)) return texts.wentWrong;
  return isStorageProblem(known) ? texts.cannotStore : known.message;
}

export function refusalCode(error: unknown): RefusalCode | null {
  return error instanceof Refusal ? error.code : null;
}

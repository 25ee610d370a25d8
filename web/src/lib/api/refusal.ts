import type { RefusalBody, RefusalCode } from '@rowmill/contract';
import * as texts from '../../texts/lib.ts';

/** The server refused a call, with a code of the contract. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly requestId: string;
  readonly retryAfterSeconds: number | null;

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

/** Thrown by the browser when the code misreads something, such as a newer server's answer. */
const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Thrown by storage that is full, also by older versions of Firefox, or forbidden for the site. */
const storageProblems = ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED', 'SecurityError'];

/**
 * A message for people, for every kind of thrown value. Those of mistakes are for developers. A
 * refused request says what is wrong with it: only a form can mark its fields.
 */
export function errorMessage(error: unknown): string {
  const problems = refusalCode(error) === 'invalid_input' ? (error as Refusal).fields : {};
  const said = new Set(Object.values(problems));
  if (said.size > 0) return [...said].join(' ');
  if (error instanceof DOMException && storageProblems.includes(error.name))
    return texts.cannotStore;
  const isForPeople = error instanceof Error && !mistakes.some((kind) => error instanceof kind);
  return isForPeople ? error.message : texts.wentWrong;
}

export function refusalCode(error: unknown): RefusalCode | null {
  return error instanceof Refusal ? error.code : null;
}

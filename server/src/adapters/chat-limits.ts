import type { StatedLimit } from '../engine/port.ts';
import { day, hour, minute, second } from '../lib/clock.ts';

export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The longest time taken from a header: a wrong one must not stop a key for years. */
const longestCooldown = day;

const units: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour, d: day };
const duration = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;
const durationPart = /(?<![\d.])(\d+(?:\.\d+)?)(ms|[smhd])/g;
const plainNumber = /^\d+(?:\.\d+)?$/;
const startsWithDate = /^\d{4}-\d\d-\d\dT/;
const startsWithWeekday = /^[A-Z][a-z]{2,8},? /;

/**
 * The end of the cooldown in the headers, in epoch milliseconds, or null. Milliseconds are more
 * exact than seconds, and both come before the time until a limit is full again.
 */
export function cooldownUntil(headers: ReplyHeaders, nowMilliseconds: number): number | null {
  const read = (name: string) => first(headers[name]).trim();
  const named =
    number(read('retry-after-ms'), 1) ??
    number(read('retry-after'), second) ??
    untilDate(read('retry-after'), dateOf(read('date')) ?? nowMilliseconds);
  const resets = counters.map(({ remaining, reset }) =>
    Number(read(remaining) || 1) <= 0 ? (resetOf(read(reset), headers, nowMilliseconds) ?? 0) : 0,
  );
  const wait = Math.min(longestCooldown, named ?? Math.max(...resets));
  return wait > 0 ? nowMilliseconds + Math.ceil(wait) : null;
}

/** The reply's own date in epoch milliseconds, because the clocks of two machines differ. */
export function dateOfReply(headers: ReplyHeaders): number {
  return dateOf(first(headers.date).trim()) ?? Date.now();
}

/**
 * Mistral states a limit of 0 to a key whose plan does not include the model, and waiting does not
 * help. Elsewhere 0 may mean that there is no limit.
 */
export function allowsNoCalls(headers: ReplyHeaders): boolean {
  return first(headers['x-ratelimit-limit-req-minute']).trim() === '0';
}

/** The times in which limits are counted. Unknown: OpenAI's and Anthropic's names do not say it. */
type Window = 'unknown' | 'minute' | 'hour' | 'day';

/**
 * How names of headers end, what they count, and in which time. Only Anthropic counts input and
 * output apart, whose smaller one is often the narrower.
 */
const suffixes: readonly (readonly [suffix: string, of: StatedLimit['of'], window: Window])[] = [
  ['requests', 'requests', 'unknown'],
  ['tokens', 'tokens', 'unknown'],
  ['input-tokens', 'input_tokens', 'unknown'],
  ['output-tokens', 'output_tokens', 'unknown'],
  // Mistral, which states no resets.
  ['req-minute', 'requests', 'minute'],
  // Cerebras and SambaNova.
  ['requests-minute', 'requests', 'minute'],
  ['tokens-minute', 'tokens', 'minute'],
  ['requests-hour', 'requests', 'hour'],
  ['tokens-hour', 'tokens', 'hour'],
  ['requests-day', 'requests', 'day'],
  ['tokens-day', 'tokens', 'day'],
];
const counters = suffixes.flatMap(([suffix, of, window]) => {
  const openAi = (part: string) => `x-ratelimit-${part}-${suffix}`;
  const anthropic = (part: string) => `anthropic-ratelimit-${suffix}-${part}`;
  return [openAi, anthropic].map((name) => ({
    of,
    window,
    limit: name('limit'),
    remaining: name('remaining'),
    reset: name('reset'),
  }));
});
/** A limit of an hour or a day says nothing about the rate. Used up, it is a cooldown. */
const paced = counters.filter(({ window }) => window === 'unknown' || window === 'minute');

/** The limits of a key in the headers of an answer that say how fast it may be called. */
export function statedLimits(headers: ReplyHeaders, nowMilliseconds: number): StatedLimit[] {
  const read = (name: string) => first(headers[name]).trim();
  // Most answers have no such header, and a row has little time.
  const stated = paced.filter(({ limit }) => headers[limit] !== undefined);
  return stated.flatMap(({ of, window, ...names }) => {
    const limit = number(read(names.limit), 1);
    const remaining = number(read(names.remaining), 1);
    if (!limit || remaining === null) return [];
    // With more digits than a number holds, the share that is left would not be a number.
    if (limit + remaining === Infinity) return [];
    const isWithoutReset = window === 'minute' && headers[names.reset] === undefined;
    const reset = isWithoutReset
      ? minute * (1 - remaining / limit)
      : resetOf(read(names.reset), headers, nowMilliseconds);
    if (reset === null || reset <= 0) return [];
    return [{ of, limit, remaining, resetMilliseconds: Math.min(longestCooldown, reset) }];
  });
}

/** Milliseconds until a limit is full again, from a duration or from a time of the provider. */
function resetOf(text: string, headers: ReplyHeaders, nowMilliseconds: number): number | null {
  const duration = parseDuration(text);
  if (duration !== null && duration < firstEpoch) return duration;
  const at = duration === null ? dateIn(text) : epochMilliseconds(Number(text));
  return Number.isNaN(at) ? null : at - (dateOf(first(headers.date)) ?? nowMilliseconds);
}

const dateIn = (text: string) => (startsWithDate.test(text) ? Date.parse(text) : Number.NaN);

/** Some state the time itself, in seconds or milliseconds since 1970. */
const firstEpoch = 30 * 365 * day;
const epochMilliseconds = (time: number) => (time < firstEpoch ? time * second : time);

function number(text: string, unit: number): number | null {
  return plainNumber.test(text) ? Number(text) * unit : null;
}

/** Counted from the reply's own date, because the clocks of two machines differ. */
function untilDate(text: string, fromMilliseconds: number): number | null {
  const time = dateOf(text);
  return time === null ? null : time - fromMilliseconds;
}

/** Only texts with a weekday are dates: the parser would read `-1` as a day in 2001. */
function dateOf(text: string): number | null {
  if (!startsWithWeekday.test(text)) return null;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : time;
}

/** `1s`, `6m0s`, `20ms`; some providers send plain seconds. */
function parseDuration(text: string): number | null {
  if (!duration.test(text)) return number(text, second);
  let total = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(durationPart))
    total += Number(amount) * (units[unit] ?? 0);
  return total;
}

function first(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

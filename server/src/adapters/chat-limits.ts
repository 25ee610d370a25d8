import type { StatedLimit } from '../engine/port.ts';
import { day, hour, minute, second } from '../lib/clock.ts';

export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The longest time taken from a header: a wrong one must not stop a key for years. */
const longestCooldown = day;

const units: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour, d: day };
const duration = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;
const durationPart = /(?<![\d.])(\d+(?:\.\d+)?)(ms|[smhd])/g;
const plainNumber = /^\d+(?:\.\d+)?$/;
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
  const resets = ['requests', 'tokens'].map((what) =>
    Number(read(`x-ratelimit-remaining-${what}`) || 1) <= 0
      ? (parseDuration(read(`x-ratelimit-reset-${what}`)) ?? 0)
      : 0,
  );
  const wait = Math.min(longestCooldown, named ?? Math.max(...resets));
  return wait > 0 ? nowMilliseconds + Math.ceil(wait) : null;
}

/** Only Anthropic states limits of input and output, whose smaller one is often the narrower. */
const stated = ['requests', 'tokens', 'input_tokens', 'output_tokens'] as const;
const names = stated.map((of) => ({ of, name: of.replace('_', '-') }));
const limitNames = names.flatMap(({ name }) => [
  `x-ratelimit-limit-${name}`,
  `anthropic-ratelimit-${name}-limit`,
]);

/** The limits of a key in the headers of an answer, by the names of OpenAI or Anthropic. */
export function statedLimits(headers: ReplyHeaders, nowMilliseconds: number): StatedLimit[] {
  // Most providers state no limits with their answers, and reading all names took 8 µs a row.
  if (!limitNames.some((name) => headers[name])) return [];
  const read = (name: string) => first(headers[name]).trim();
  const from = (date: string) => {
    const at = Date.parse(date);
    return Number.isNaN(at) ? null : at - (dateOf(read('date')) ?? nowMilliseconds);
  };
  return names.flatMap(({ of, name }) => {
    const own = `anthropic-ratelimit-${name}`;
    const limit = number(read(`x-ratelimit-limit-${name}`) || read(`${own}-limit`), 1);
    const remaining = number(read(`x-ratelimit-remaining-${name}`) || read(`${own}-remaining`), 1);
    const reset = parseDuration(read(`x-ratelimit-reset-${name}`)) ?? from(read(`${own}-reset`));
    if (!limit || remaining === null || reset === null || reset <= 0) return [];
    // With more digits than a number holds, the share that is left would not be a number.
    if (limit + remaining === Infinity) return [];
    return [{ of, limit, remaining, resetMilliseconds: Math.min(longestCooldown, reset) }];
  });
}

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

import { day, second } from '../lib/clock.ts';
import type { ProviderError } from './chat-errors.ts';
import { at, listAt, textsOf } from './protocols/protocol.ts';

/**
 * When a quota of the day that is used up is there again, from and to wall time. Null for every
 * other error. Google names seconds to wait with it, which do not help. OpenAI and Groq state
 * the time until their next call of the day, so theirs is a limit like any other.
 */
export function dailyQuotaRenewal(
  json: unknown,
  { message }: ProviderError,
  nowMilliseconds: number,
): number | null {
  const error = at(Array.isArray(json) ? json[0] : json, 'error');
  const violations = listAt(error, 'details').flatMap((detail) => listAt(detail, 'violations'));
  const ids = textsOf(violations.map((violation) => at(violation, 'quotaId')));
  if (ids.some((id) => id.includes('PerDay')))
    return nextMidnight(nowMilliseconds, 'America/Los_Angeles');
  // OpenRouter.
  if (message.startsWith('Rate limit exceeded: free-models-per-day'))
    return nextMidnight(nowMilliseconds, 'UTC');
  return null;
}

/** An hour early or late on a day when the clocks change. */
function nextMidnight(nowMilliseconds: number, timeZone: string): number {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' });
  const [hours = 0, minutes = 0, seconds = 0] = time.format(nowMilliseconds).split(':').map(Number);
  const sinceMidnight = ((hours * 60 + minutes) * 60 + seconds) * second;
  return nowMilliseconds - (nowMilliseconds % second) - sinceMidnight + day;
}

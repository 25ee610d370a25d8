import type { ConcurrencyLimiter } from './concurrency-limiter.ts';

type Limiter = Pick<ConcurrencyLimiter, 'waitMilliseconds' | 'acquire' | 'release'>;

/** Of a scene; a limit that changes is unknown to it too. */
interface Known {
  maxInFlight: number;
  bucket?: number | ((milliseconds: number) => number);
  bucketSeconds?: number;
  window?: { milliseconds: number; calls: number };
  tokens?: number;
  overload?: number;
}

/** Like the product, it sends three calls until the first answer, in case the key is bad. */
const callsBeforeFirstAnswer = 3;

/** A client that knows the limit, so it searches nothing. What it gets is what a scene makes possible. */
export function oracleOf(
  { maxInFlight, bucket, bucketSeconds = 1, tokens, window, overload = maxInFlight }: Known,
  now: () => number,
): Limiter {
  const perSecond = tokens ? tokens / 100 : typeof bucket === 'number' ? bucket : Infinity;
  let slots = callsBeforeFirstAnswer;
  let inFlight = 0;
  const saved = { calls: perSecond * bucketSeconds, at: 0 };
  const used = { index: 0, calls: 0 };

  function look(): void {
    saved.calls = Math.min(
      perSecond * bucketSeconds,
      saved.calls + ((now() - saved.at) / 1_000) * perSecond,
    );
    saved.at = now();
    const index = window ? Math.floor(now() / window.milliseconds) : 0;
    if (index !== used.index) Object.assign(used, { index, calls: 0 });
  }

  return {
    get waitMilliseconds() {
      look();
      if (inFlight >= Math.min(slots, overload)) return Number.POSITIVE_INFINITY;
      if (window && used.calls >= window.calls)
        return (used.index + 1) * window.milliseconds - now();
      return perSecond === Infinity ? 0 : Math.max(0, (1 - saved.calls) / perSecond) * 1_000;
    },
    acquire() {
      look();
      saved.calls--;
      used.calls++;
      inFlight++;
      return {
        sentAt: now(),
        inFlight,
        number: 0,
        endedAt: Infinity,
        endedAfter: Infinity,
        isRefused: false,
        retryAt: null,
      };
    },
    release({ kind }) {
      inFlight--;
      if (kind === 'answered') slots = maxInFlight;
    },
  };
}

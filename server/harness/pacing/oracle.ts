import type { ConcurrencyLimiter } from '../../src/engine/limits/concurrency-limiter.ts';

type Limiter = Pick<ConcurrencyLimiter, 'waitMilliseconds' | 'acquire' | 'release'>;

/** What the oracle knows of a scene. It does not know a limit that changes. */
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

/** A client that knows the limit. Its answers are the most that a scene allows. */
export function oracleOf(
  { maxInFlight, bucket, bucketSeconds = 1, tokens, window, overload = maxInFlight }: Known,
  now: () => number,
): Limiter {
  const perSecond = tokens ? tokens / 100 : typeof bucket === 'number' ? bucket : Infinity;
  let slots = callsBeforeFirstAnswer;
  let inFlight = 0;
  const burst = { calls: perSecond * bucketSeconds, at: 0 };
  const used = { index: 0, calls: 0 };

  function refill(): void {
    burst.calls = Math.min(
      perSecond * bucketSeconds,
      burst.calls + ((now() - burst.at) / 1_000) * perSecond,
    );
    burst.at = now();
    const index = window ? Math.floor(now() / window.milliseconds) : 0;
    if (index !== used.index) Object.assign(used, { index, calls: 0 });
  }

  return {
    get waitMilliseconds() {
      refill();
      if (inFlight >= Math.min(slots, overload)) return Number.POSITIVE_INFINITY;
      if (window && used.calls >= window.calls)
        return (used.index + 1) * window.milliseconds - now();
      return perSecond === Infinity ? 0 : Math.max(0, (1 - burst.calls) / perSecond) * 1_000;
    },
    acquire() {
      refill();
      burst.calls--;
      used.calls++;
      inFlight++;
      return {
        batch: '',
        person: '',
        sentAt: now(),
        inFlight,
        number: 0,
        refusedAlone: 0,
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

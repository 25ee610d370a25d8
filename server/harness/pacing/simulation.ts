import { randomFrom } from '../../../fakes/random.ts';
import { ConcurrencyLimiter, Slots } from '../../src/engine/limits/concurrency-limiter.ts';
import { sharedLimits } from '../../src/engine/limits/provider-lanes.ts';
import {
  publishIntervalMilliseconds,
  WorkerShares,
} from '../../src/engine/limits/worker-shares.ts';
import type { ChatOutcome } from '../../src/engine/port.ts';
import { alarm, EventHeap } from './event-heap.ts';
import { oracleOf } from './oracle.ts';
import { Turns } from './turns.ts';

/** A provider and a client that always has rows, with their own clock. */
export interface Scene {
  name: string;
  maxInFlight: number;
  /** Processes that share the key and the calls in flight, and exchange their calls. */
  workers?: number;
  /** Each has rows all the time. The one with the fewest calls in flight goes first. */
  people?: number;
  /** Milliseconds between the starts of two workers. */
  startGap?: number;
  /** Milliseconds that an answer takes, plus or minus the share `spread` (0.2 by default). */
  latency: number;
  spread?: number;
  /** Answers per second that the best client would get. */
  ideal: number;
  /** Simulated time; 30 by default. */
  seconds?: number;
  /** Milliseconds; a third of the time by default. */
  lateFrom?: number;
  /** The share of calls refused at any rate, and the seconds that these refusals name, if any. */
  noise?: number;
  noiseSeconds?: number | null;
  /** Calls a second; may change with time. */
  bucket?: number | ((milliseconds: number) => number);
  /** The bucket of calls or tokens holds what this many seconds add; 1 by default. */
  bucketSeconds?: number;
  window?: { milliseconds: number; calls: number };
  /** Tokens a second; a call takes between 50 and 150. */
  tokens?: number;
  /** Answers state what is left of the calls of a second. */
  isStated?: boolean;
  /** Refusals above the limit name no time, or whole seconds. */
  isSilent?: boolean;
  isRounded?: boolean;
  /** Refuses calls above this number in flight. */
  overload?: number;
  /** The overload begins when the client has all calls in flight. */
  overloadFrom?: number;
  /** A busy client sees what arrived, and sends, only this often, in milliseconds. */
  busy?: number;
  /** The client knows the limit and does not search for it. */
  knowsLimit?: boolean;
  /** From this time on the client sends its last rows. */
  endsFrom?: number;
  /** The key is refused between these times. Each refusal names the end, or `outageSeconds`. */
  outage?: [number, number];
  outageSeconds?: number;
}

export interface Result {
  /** The answers of the worker with the fewest, as a share of an equal part. */
  least: number;
  /** The answers as a share of the ideal. */
  share: number;
  /** The same after the first third, when the first burst is used. */
  lateShare: number;
  /** The share of the calls after the first third that a limit refused. */
  refused: number;
}

const refusalMilliseconds = 5;
const noticeMilliseconds = 20;

/** Answers a second of a client that knows the limit. Other clients get more only by luck. */
function possible(scene: Scene): number {
  return simulate({ ...scene, ideal: 1, knowsLimit: true }).share;
}

const rowsLeftAt = ({ endsFrom = Infinity }: Scene, now: number) =>
  now >= endsFrom ? 1 : Infinity;

export function simulate(scene: Scene, seed = 1): Result {
  const { seconds = 30, workers = 1, people = 1, busy = 1 } = scene;
  const events = new EventHeap();
  const random = randomFrom(seed);
  const provide = provider(scene, { random, now: () => events.now });
  const late = { calls: 0, refused: 0, answers: 0 };
  let answers = 0;
  const byWorker = Array.from({ length: workers }, () => 0);
  const lateFrom = scene.lateFrom ?? (seconds * 1_000) / 3;

  const shares: WorkerShares[] = [];
  const limiters: ConcurrencyLimiter[] = [];
  const startWorker = (worker: number): void => {
    const now = () => events.now;
    const slots = new Slots(scene.maxInFlight);
    const paced = new ConcurrencyLimiter({ slots, now });
    limiters.push(paced);
    const publishCooldown = cooldownPublisher(paced, { limiters, events });
    const limiter = scene.knowsLimit ? oracleOf(scene, now) : paced;
    const share = new WorkerShares({
      worker: `${worker}`,
      limiter: () => sharedLimits(paced, slots),
      now,
      countSlices: () => 4,
      publish: (update) =>
        events.add(events.now + noticeMilliseconds, () => {
          for (const each of shares) each.onUpdate(update);
        }),
    });
    shares.push(share);
    const publishChanges = (): void => {
      share.publishChanges();
      events.add(events.now + publishIntervalMilliseconds, publishChanges);
    };
    if (workers > 1) publishChanges();
    const turns = new Turns(people);
    const sendLater = alarm(events, () => send());
    const send = (): void => {
      for (;;) {
        const wait = limiter.waitMilliseconds;
        if (wait > 0) sendLater(wait);
        const person = wait > 0 ? undefined : turns.next(paced);
        if (!person) return;
        const call = limiter.acquire({
          rowsLeft: rowsLeftAt(scene, events.now),
          batch: person,
          person,
        });
        const isLate = events.now > lateFrom;
        if (isLate) late.calls++;
        const { outcome, milliseconds, isLimit, end } = provide();
        events.add(events.now + milliseconds, end);
        events.add(Math.ceil((events.now + milliseconds) / busy) * busy, () => {
          if (outcome.kind === 'answered') {
            answers++;
            byWorker[worker] = (byWorker[worker] ?? 0) + 1;
            if (events.now > lateFrom) late.answers++;
          }
          if (isLimit && isLate) late.refused++;
          turns.end(person);
          limiter.release(outcome, call);
          publishCooldown();
          send();
        });
      }
    };
    send();
  };
  for (let worker = 0; worker < workers; worker++)
    events.add(worker * (scene.startGap ?? 0), () => startWorker(worker));
  events.run(seconds * 1_000);
  return {
    least: (workers * Math.min(...byWorker)) / answers,
    share: answers / seconds / scene.ideal,
    lateShare: (1.5 * late.answers) / seconds / scene.ideal,
    refused: late.refused / Math.max(1, late.calls),
  };
}

/** Publishes the cooldowns of one worker to all. */
function cooldownPublisher(
  limiter: ConcurrencyLimiter,
  { limiters, events }: { limiters: readonly ConcurrencyLimiter[]; events: EventHeap },
): () => void {
  let publishedUntil = 0;
  return () => {
    const { cooldownUntil } = limiter;
    if (cooldownUntil <= publishedUntil) return;
    publishedUntil = cooldownUntil;
    events.add(events.now + noticeMilliseconds, () => {
      for (const each of limiters)
        if (cooldownUntil > each.cooldownUntil) each.onCooldownNotice(cooldownUntil);
    });
  };
}

interface Answer {
  outcome: ChatOutcome;
  milliseconds: number;
  /** Refused because of a limit, not at random. */
  isLimit: boolean;
  /** Ends the call at the provider. A refused call is never in flight there. */
  end(): void;
}

function fill(
  bucket: { level: number; at: number },
  perSecond: number,
  { bucketSeconds = 1 }: Scene,
  now: number,
): void {
  const more = ((now - bucket.at) / 1_000) * perSecond;
  bucket.level = Math.min(perSecond * bucketSeconds, bucket.level + more);
  bucket.at = now;
}

function provider(
  scene: Scene,
  { random, now }: { random: () => number; now: () => number },
): () => Answer {
  let inFlight = 0;
  const rate = () =>
    typeof scene.bucket === 'function' ? scene.bucket(now()) : (scene.bucket ?? 0);
  const { bucketSeconds = 1 } = scene;
  const calls = { level: rate() * bucketSeconds, at: 0 };
  const tokens = { level: (scene.tokens ?? 0) * bucketSeconds, at: 0 };
  const window = { index: -1, used: 0 };
  /** A refused call is repeated with the same tokens. */
  const refusedSizes: number[] = [];
  /** Seconds until the call would be accepted. At 0, takes what the call needs. */
  const waitSeconds = (): number => {
    const need = refusedSizes.shift() ?? 50 + 100 * random();
    const waits = [0];
    if (scene.bucket) {
      fill(calls, rate(), scene, now());
      if (calls.level < 1) waits.push((1 - calls.level) / rate());
    }
    if (scene.tokens) {
      fill(tokens, scene.tokens, scene, now());
      if (tokens.level < need) waits.push((need - tokens.level) / scene.tokens);
    }
    if (scene.window) {
      const { milliseconds, calls: most } = scene.window;
      const index = Math.floor(now() / milliseconds);
      if (index !== window.index) Object.assign(window, { index, used: 0 });
      if (window.used >= most) waits.push((milliseconds - (now() % milliseconds)) / 1_000);
    }
    const wait = Math.max(...waits);
    if (wait > 0) {
      refusedSizes.push(need);
      return wait;
    }
    calls.level--;
    tokens.level -= need;
    window.used++;
    return 0;
  };
  const stated = () => {
    if (!scene.isStated) return {};
    const limit = rate();
    const resetMilliseconds = Math.max(1, (1 - calls.level / limit) * 1_000);
    return {
      limits: [{ of: 'requests' as const, limit, remaining: calls.level, resetMilliseconds }],
    };
  };
  return () => {
    const refuse = (seconds: number | null, isLimit = true): Answer => ({
      outcome: {
        kind: 'try_later',
        retryAt: seconds === null ? null : now() + Math.ceil(seconds * 1_000),
        reason: 'Too many.',
      },
      milliseconds: refusalMilliseconds,
      isLimit,
      end: () => {},
    });
    const [from = 0, until = 0] = scene.outage ?? [];
    if (now() >= from && now() < until)
      return refuse(scene.outageSeconds ?? (until - now()) / 1_000);
    const wait = waitSeconds();
    if (wait > 0 && scene.isSilent) return refuse(null);
    if (wait > 0) return refuse(scene.isRounded ? Math.max(1, Math.ceil(wait)) : wait);
    const { overload = Infinity, overloadFrom = 0 } = scene;
    if (inFlight >= overload && now() >= overloadFrom) return refuse(1);
    if (random() < (scene.noise ?? 0))
      return refuse(scene.noiseSeconds === undefined ? 1 : scene.noiseSeconds, false);
    const { latency, spread = 0.2 } = scene;
    const milliseconds = latency * (1 + spread * (2 * random() - 1));
    const outcome: ChatOutcome = { kind: 'answered', text: 'yes', ...stated() };
    inFlight++;
    const end = () => {
      inFlight--;
    };
    return { outcome, milliseconds, isLimit: false, end };
  };
}

/** Random scenes from a seed. */
export function drawScenes(count: number, seed: number): Scene[] {
  const random = randomFrom(seed);
  const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)] as T;
  return Array.from({ length: count }, () => {
    const maxInFlight = pick(8, 16, 64, 128, 256, 512);
    const latency = pick(30, 80, 200, 600, 1_500);
    const noise = pick(0, 0, 0.01, 0.03, 0.08, 0.15);
    const kind = pick('none', 'bucket', 'bucket', 'window', 'tokens');
    const most = maxInFlight / (latency / 1_000);
    const limit =
      kind === 'none'
        ? Number.POSITIVE_INFINITY
        : // A smaller bucket would never accept a call of 150 tokens.
          Math.max(kind === 'tokens' ? 2 : 1, Math.round(most * (0.1 + 0.7 * random())));
    const length = pick(1_000, 10_000);
    const scene: Scene = {
      name: `${maxInFlight} at ${latency} ms, ${kind} ${limit}, noise ${noise}`,
      maxInFlight,
      latency,
      noise,
      noiseSeconds: pick(1, 2, 5),
      isRounded: kind === 'bucket' && pick(true, false),
      isSilent: kind === 'bucket' && pick(true, false, false),
      ideal: 0,
    };
    if (kind === 'bucket') scene.bucket = limit;
    if (kind === 'tokens') scene.tokens = limit * 100;
    if (kind === 'window')
      scene.window = { milliseconds: length, calls: Math.round((limit * length) / 1_000) };
    return { ...scene, ideal: possible(scene) };
  });
}

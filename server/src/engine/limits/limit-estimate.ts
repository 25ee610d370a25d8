/** A call, with the calls in flight when it was sent (itself included) and its outcome. */
export interface ObservedCall {
  inFlight: number;
  isRefused: boolean;
}

/** Calls that were sent within a short time. */
export interface Sample {
  /** Seconds without a call before the first one. */
  idle: number;
  /** Seconds from the first call to the last. */
  seconds: number;
  calls: readonly ObservedCall[];
  refused: number;
}

/** One hypothesis about the limit. */
interface Guess {
  /** Calls per second, or infinity. */
  readonly rate: number;
  /** Calls in flight, or infinity. */
  readonly ceiling: number;
  /** The probability before any call, not normalised. */
  readonly prior: number;
  /** The factor by which the calls so far changed its probability. The weighted mean is 1. */
  weight: number;
  /** Noise: calls that this limit should have accepted, and how many of them were refused. */
  noiseCalls: number;
  noiseRefused: number;
  /** Tokens in its bucket: calls that it would accept at once. */
  tokens: number;
}

/** The factor between neighbouring guesses. With 1.05 the pace is up to 4% below the limit. */
const step = 1.03;
/** High limits get higher priors: too few calls slow every batch, too many cost refusals. */
const priors = {
  rate: { share: 0.09, middle: 1_000 },
  ceiling: { share: 1e-6, middle: 100 },
  slope: 2,
};
/** The chosen limit is this quantile: the true limit is below it with this probability. */
const quantile = 0.5;
/**
 * Limits drift to neighbouring values, and sometimes jump to any other. So old evidence fades, and
 * the pace rises while nothing is refused. The lower of `perSecond` and `perCall` counts.
 */
const drift = { perSecond: 0.8, perCall: 0.055, most: 0.5 };
const jump = { perSecond: 0.2, perCall: 0.002, most: 0.5 };
/** The calls of a sample share a cause, so one sample lowers a guess by at most this logarithm. */
const maxLogRatioPerSample = 10;
const noise = { refused: 1, calls: 13, most: 0.4, memory: { calls: 100, seconds: 2 } };
/** The least probability of an outcome that a guess excludes: no guess models everything. */
const unexpected = { refused: 0.003, accepted: 0.03 };
/** Samples before the first refusal say little, so only the last ones are evaluated. */
const samplesBeforeRefusal = 20;
/** With this many refusals in a sample, the buckets are empty: their size is only assumed. */
const exhausted = { calls: 2, share: 0.6 };

/**
 * Estimates the limit of a provider by Bayes' rule. A guess is a rate, a number of calls in flight,
 * or no limit, with a share of noise. Its weight follows from how well it predicts refusals. Noise
 * refuses the same share at any rate and a limit does not, so the weights separate.
 */
export class LimitEstimate {
  readonly #none = fresh({ rate: Infinity, ceiling: Infinity, prior: 1 });
  /** 100 kB of guesses, made with the first refusal: many models have none. */
  #rates: Guess[] = [];
  #all: Guess[] = [this.#none];
  #priorSum = 1;
  #rate = Infinity;
  #ceiling = Infinity;
  /** The last samples before the first refusal, which are evaluated with it; then null. */
  #beforeRefusal: Sample[] | null = [];

  get rate(): number {
    return this.#rate;
  }

  get ceiling(): number {
    return this.#ceiling;
  }

  /** The share of calls that is refused at any rate. */
  get noise(): number {
    this.#evaluateBeforeRefusal();
    return noiseOf(this.#none);
  }

  learn(sample: Sample): void {
    if (this.#beforeRefusal && sample.refused === 0) {
      // A call that is in flight for long counts as accepted, and may be refused later.
      const calls = sample.calls.map(({ inFlight }) => ({ inFlight, isRefused: false }));
      this.#beforeRefusal.push({ ...sample, calls });
      if (this.#beforeRefusal.length > samplesBeforeRefusal) this.#beforeRefusal.shift();
      return;
    }
    this.#evaluateBeforeRefusal();
    this.#update(sample);
  }

  #evaluateBeforeRefusal(): void {
    const samples = this.#beforeRefusal;
    if (!samples) return;
    this.#beforeRefusal = null;
    this.#rates = guesses(steps(0.2, 40_000), 'rate');
    const ceilings = guesses([...new Set(steps(1, 2_000).map(Math.round))], 'ceiling');
    this.#all = [...this.#rates, ...ceilings, this.#none];
    this.#priorSum = this.#all.reduce((sum, { prior }) => sum + prior, 0);
    for (const sample of samples) this.#update(sample);
  }

  #update(sample: Sample): void {
    const likelihoods = this.#all.map((each) => updateGuess(each, sample));
    const best = Math.max(...likelihoods);
    this.#all.forEach((each, index) => {
      each.weight *= Math.exp(Math.max(-maxLogRatioPerSample, (likelihoods[index] ?? best) - best));
    });
    this.#drift(shareOf(drift, sample));
    this.#normalise();
    this.#jump(shareOf(jump, sample));
    const { calls, refused } = sample;
    if (refused >= Math.max(exhausted.calls, exhausted.share * calls.length)) this.emptyBuckets();
    this.#choose();
  }

  /** Replaces the weights by a measured rate with this relative error. */
  measure(rate: number, error: number): void {
    this.#evaluateBeforeRefusal();
    for (const each of this.#all) {
      const off = Math.log(each.rate / rate) / error;
      each.weight = Math.exp(-Math.min(30, (off * off) / 2));
    }
    this.#normalise();
    this.#choose();
  }

  /** Empties all buckets, because the limit was exhausted until now. */
  emptyBuckets(): void {
    this.#evaluateBeforeRefusal();
    for (const each of this.#rates) each.tokens = 0;
  }

  /** Spreads each rate to its neighbours: an old measurement is less certain. */
  #drift(share: number): void {
    const weights = this.#rates.map(({ weight }) => weight);
    this.#rates.forEach((each, index) => {
      const own = weights[index] ?? 0;
      const neighbours = ((weights[index - 1] ?? own) + (weights[index + 1] ?? own)) / 2;
      each.weight = own + share * (neighbours - own);
    });
  }

  /** Moves a share of the weight to all guesses. An unlikely guess gets the noise of a new one. */
  #jump(share: number): void {
    for (const each of this.#all) {
      each.weight += share * (1 - each.weight);
      const part = share / each.weight;
      each.noiseCalls += part * (noise.calls - each.noiseCalls);
      each.noiseRefused += part * (noise.refused - each.noiseRefused);
    }
  }

  #normalise(): void {
    const sum = this.#all.reduce((total, { weight, prior }) => total + weight * prior, 0);
    for (const each of this.#all) each.weight *= this.#priorSum / sum;
  }

  #choose(): void {
    const enough = quantile * this.#priorSum;
    const lowest = (of: (guess: Guess) => number) => {
      let sum = 0;
      const found = this.#all.find((each) => {
        if (of(each) < Infinity) sum += each.weight * each.prior;
        return sum >= enough;
      });
      return found ? of(found) : Infinity;
    };
    this.#rate = lowest(({ rate }) => rate);
    this.#ceiling = lowest(({ ceiling }) => ceiling);
  }
}

/** Updates a guess. Returns the logarithm of the probability of the sample under the guess. */
function updateGuess(guess: Guess, sample: Sample): number {
  const { calls, refused } = sample;
  const over = guess.ceiling < Infinity ? countOver(sample, guess.ceiling) : nothing;
  const within = calls.length - over.calls;
  const withinRefused = refused - over.refused;
  const noiseShare = noiseOf(guess);
  const capacity = available(guess, sample);
  // Even one call needs a whole token.
  const needed = Math.max(1, within * (1 - noiseShare));
  const overLimit = within === 0 ? 0 : Math.max(0, 1 - capacity / needed);
  const acceptedAnyway = Math.min(unexpected.accepted, 0.3 / calls.length);
  const expected = noiseShare + (1 - noiseShare) * overLimit;
  const share = Math.min(1 - acceptedAnyway, Math.max(unexpected.refused, expected));
  const likelihood =
    logOf(withinRefused, share) +
    logOf(within - withinRefused, 1 - share) +
    logOf(over.refused, 1 - acceptedAnyway) +
    logOf(over.calls - over.refused, acceptedAnyway);
  guess.tokens = Math.max(0, capacity - (within - withinRefused));

  // The refused calls that this limit should have accepted.
  const noiseRefused = (withinRefused * noiseShare * (1 - overLimit)) / expected;
  const noiseCalls = within - withinRefused + noiseRefused;
  const { idle, seconds } = sample;
  const { memory } = noise;
  const remembered = Math.exp(
    -Math.min(1, calls.length / memory.calls, (idle + seconds) / memory.seconds),
  );
  guess.noiseCalls = noise.calls + (guess.noiseCalls - noise.calls) * remembered + noiseCalls;
  guess.noiseRefused =
    noise.refused + (guess.noiseRefused - noise.refused) * remembered + noiseRefused;
  return likelihood;
}

const nothing = { calls: 0, refused: 0 };

/** Calls above the ceiling of a guess, or above the best ceiling before the next guess. */
function countOver({ calls }: Sample, ceiling: number): { calls: number; refused: number } {
  const over = { calls: 0, refused: 0 };
  const next = ceiling * step;
  let accepted = ceiling;
  for (const { inFlight, isRefused } of calls)
    if (!isRefused && inFlight < next && inFlight > accepted) accepted = inFlight;
  for (const { inFlight, isRefused } of calls) {
    if (inFlight <= accepted) continue;
    over.calls++;
    if (isRefused) over.refused++;
  }
  return over;
}

/** Calls that the guess accepts: tokens in its bucket of one second, and those added meanwhile. */
function available(guess: Guess, { idle, seconds }: Sample): number {
  if (guess.rate === Infinity) return Infinity;
  const { rate, tokens } = guess;
  return Math.min(Math.max(1, rate), tokens + rate * idle) + rate * seconds;
}

function noiseOf({ noiseCalls, noiseRefused }: Guess): number {
  return Math.min(noise.most, noiseRefused / noiseCalls);
}

function shareOf({ perSecond, perCall, most }: typeof drift, sample: Sample): number {
  const { calls, idle, seconds } = sample;
  return Math.min(most, perSecond * (idle + seconds), perCall * calls.length);
}

function logOf(calls: number, share: number): number {
  return calls === 0 ? 0 : calls * Math.log(share);
}

/** One guess for each value. The priors rise with the value, and `share` scales them. */
function guesses(values: readonly number[], name: 'rate' | 'ceiling'): Guess[] {
  const { share, middle } = priors[name];
  return values.map((value) => {
    const prior = (share / values.length) * (value / middle) ** priors.slope;
    return fresh({ rate: Infinity, ceiling: Infinity, [name]: value, prior });
  });
}

function fresh(limit: Pick<Guess, 'rate' | 'ceiling' | 'prior'>): Guess {
  const tokens = limit.rate < Infinity ? Math.max(1, limit.rate) : Infinity;
  return { ...limit, weight: 1, noiseCalls: noise.calls, noiseRefused: noise.refused, tokens };
}

function steps(from: number, to: number): number[] {
  const count = Math.ceil(Math.log(to / from) / Math.log(step));
  return Array.from({ length: count }, (_, index) => from * step ** index);
}

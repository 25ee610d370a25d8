/** What became of a call that was sent with this many in flight, itself included. */
export interface Sent {
  inFlight: number;
  isRefused: boolean;
}

/** Calls that were sent in one moment, after a time without any. */
export interface Sample {
  idle: number;
  seconds: number;
  calls: readonly Sent[];
  refused: number;
}

/** Something the limit may be. */
interface Guess {
  /** Calls per second, or infinity. */
  readonly rate: number;
  /** Calls in flight, or infinity. */
  readonly ceiling: number;
  /** How likely it is without any calls; these do not add up to 1. */
  readonly prior: number;
  /** This many times likelier for the calls so far. Of all guesses the mean, each counted by its prior, is 1. */
  fit: number;
  /** Noise: calls that it should have let in, and how many of them were refused. */
  noiseCalls: number;
  noiseRefused: number;
  /** Calls that it would let in at once. */
  saved: number;
}

/** Guesses are this factor apart: finer ones gain nothing. */
const step = 1.05;
/** High limits are likelier at first: too few calls slow every batch, too many cost some refusals. */
const first = {
  rate: { share: 0.09, middle: 1_000 },
  ceiling: { share: 1e-6, middle: 100 },
  slope: 2,
};
/** The true limit is below the chosen one with this probability. */
const risk = 0.5;
/**
 * Limits change, with whichever is less. A rate becomes a neighbour of itself, and now and then a limit becomes any other:
 * so what was learned counts less with time, and the pace rises while nothing is refused.
 */
const drift = { perSecond: 0.3, perCall: 0.02, most: 0.5 };
const jump = { perSecond: 0.2, perCall: 0.002, most: 0.5 };
/** What happens in one moment shares a cause: it makes a guess less likely than the best by at most this factor, a logarithm. */
const mostPerMoment = 10;
const noise = { refused: 1, calls: 13, most: 0.4, memory: { calls: 100, seconds: 2 } };
/** Something that no guess knows of refuses or lets in a call now and then. */
const surprise = { refused: 0.003, letIn: 0.03 };
/** Until something is refused, the moments so far say little: of all but the last ones, what was learned is forgotten. */
const calmMoments = 20;
/** With as many refused of the calls of a moment, nothing is saved: how much a limit saves is only assumed. */
const usedUp = { calls: 2, share: 0.6 };

/**
 * Weighs what the provider's limit may be: a rate, a number of calls in flight, or none, each with noise beside it. Each
 * guess foretells which calls are refused, and gains or loses by what happens. Noise refuses the same share at any rate
 * and a limit does not, so the guesses part as the rate changes.
 */
export class LimitEstimate {
  readonly #rates = guesses(steps(0.2, 40_000), 'rate');
  readonly #ceilings = guesses([...new Set(steps(1, 2_000).map(Math.round))], 'ceiling');
  readonly #none = fresh({ rate: Infinity, ceiling: Infinity, prior: 1 });
  #rate = Infinity;
  #ceiling = Infinity;
  /** The last moments before anything was refused, to be weighed with the first that was; then null. */
  #calm: Sample[] | null = [];
  readonly #all = [...this.#rates, ...this.#ceilings, this.#none];
  readonly #priors = this.#all.reduce((sum, { prior }) => sum + prior, 0);

  get rate(): number {
    return this.#rate;
  }

  get ceiling(): number {
    return this.#ceiling;
  }

  /** The share that is refused at any rate. */
  get noise(): number {
    this.#endCalm();
    return noiseOf(this.#none);
  }

  learn(sample: Sample): void {
    if (this.#calm && sample.refused === 0) {
      // A call that was under way for long counts as let in, and may be refused later.
      const calls = sample.calls.map(({ inFlight }) => ({ inFlight, isRefused: false }));
      this.#calm.push({ ...sample, calls });
      if (this.#calm.length > calmMoments) this.#calm.shift();
      return;
    }
    this.#endCalm();
    this.#weigh(sample);
  }

  #endCalm(): void {
    const calm = this.#calm;
    this.#calm = null;
    for (const sample of calm ?? []) this.#weigh(sample);
  }

  #weigh(sample: Sample): void {
    const likelihoods = this.#all.map((each) => judge(each, sample));
    const best = Math.max(...likelihoods);
    this.#all.forEach((each, index) => {
      each.fit *= Math.exp(Math.max(-mostPerMoment, (likelihoods[index] ?? best) - best));
    });
    this.#drift(shareOf(drift, sample));
    this.#normalise();
    this.#jump(shareOf(jump, sample));
    const { calls, refused } = sample;
    if (refused >= Math.max(usedUp.calls, usedUp.share * calls.length)) this.empty();
    this.#choose();
  }

  /** A used-up window has told the rate. `spread`: how far off it may be. */
  measure(rate: number, spread: number): void {
    this.#endCalm();
    for (const each of this.#all) {
      const off = Math.log(each.rate / rate) / spread;
      each.fit = Math.exp(-Math.min(30, (off * off) / 2));
    }
    this.#normalise();
    this.#choose();
  }

  /** Nothing is let in at once: the limit was used up until now. */
  empty(): void {
    for (const each of this.#rates) each.saved = 0;
  }

  /** The longer ago a rate was tested, the farther off it may be by now. */
  #drift(share: number): void {
    const fits = this.#rates.map(({ fit }) => fit);
    this.#rates.forEach((each, index) => {
      const own = fits[index] ?? 0;
      const neighbours = ((fits[index - 1] ?? own) + (fits[index + 1] ?? own)) / 2;
      each.fit = own + share * (neighbours - own);
    });
  }

  /** A guess that was as good as refuted begins with the noise of a new one. */
  #jump(share: number): void {
    for (const each of this.#all) {
      each.fit += share * (1 - each.fit);
      const part = share / each.fit;
      each.noiseCalls += part * (noise.calls - each.noiseCalls);
      each.noiseRefused += part * (noise.refused - each.noiseRefused);
    }
  }

  #normalise(): void {
    const sum = this.#all.reduce((total, { fit, prior }) => total + fit * prior, 0);
    for (const each of this.#all) each.fit *= this.#priors / sum;
  }

  #choose(): void {
    const enough = risk * this.#priors;
    const lowest = (of: (guess: Guess) => number) => {
      let sum = 0;
      const found = this.#all.find((each) => {
        if (of(each) < Infinity) sum += each.fit * each.prior;
        return sum >= enough;
      });
      return found ? of(found) : Infinity;
    };
    this.#rate = lowest(({ rate }) => rate);
    this.#ceiling = lowest(({ ceiling }) => ceiling);
  }
}

/** The logarithm of how likely the sample is for the guess, which learns about its noise. */
function judge(guess: Guess, sample: Sample): number {
  const { calls, refused } = sample;
  const over = guess.ceiling < Infinity ? countOver(sample, guess.ceiling) : nothing;
  const within = calls.length - over.calls;
  const withinRefused = refused - over.refused;
  const usual = noiseOf(guess);
  const letIn = available(guess, sample);
  // One call needs what a whole call takes.
  const needed = Math.max(1, within * (1 - usual));
  const excess = within === 0 ? 0 : Math.max(0, 1 - letIn / needed);
  const letInAnyway = Math.min(surprise.letIn, 0.3 / calls.length);
  const expected = usual + (1 - usual) * excess;
  const share = Math.min(1 - letInAnyway, Math.max(surprise.refused, expected));
  const likelihood =
    logOf(withinRefused, share) +
    logOf(within - withinRefused, 1 - share) +
    logOf(over.refused, 1 - letInAnyway) +
    logOf(over.calls - over.refused, letInAnyway);
  guess.saved = Math.max(0, letIn - (within - withinRefused));

  // Of the refused calls, those that it should have let in.
  const noiseRefused = (withinRefused * usual * (1 - excess)) / expected;
  const noiseCalls = within - withinRefused + noiseRefused;
  const { idle, seconds } = sample;
  const { memory } = noise;
  const keep = Math.exp(
    -Math.min(1, calls.length / memory.calls, (idle + seconds) / memory.seconds),
  );
  guess.noiseCalls = noise.calls + (guess.noiseCalls - noise.calls) * keep + noiseCalls;
  guess.noiseRefused = noise.refused + (guess.noiseRefused - noise.refused) * keep + noiseRefused;
  return likelihood;
}

const nothing = { calls: 0, refused: 0 };

/** A guess stands for all ceilings below the next one: of these, the one that fits best. */
function countOver({ calls }: Sample, ceiling: number): { calls: number; refused: number } {
  const over = { calls: 0, refused: 0 };
  const next = ceiling * step;
  let letIn = ceiling;
  for (const { inFlight, isRefused } of calls)
    if (!isRefused && inFlight < next && inFlight > letIn) letIn = inFlight;
  for (const { inFlight, isRefused } of calls) {
    if (inFlight <= letIn) continue;
    over.calls++;
    if (isRefused) over.refused++;
  }
  return over;
}

/** Calls that the guess lets in: what it saved, at most for a second, and what the time of the sample brings. */
function available(guess: Guess, { idle, seconds }: Sample): number {
  if (guess.rate === Infinity) return Infinity;
  const { rate, saved } = guess;
  return Math.min(Math.max(1, rate), saved + rate * idle) + rate * seconds;
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

/** One guess for each value; together they have this probability, and each more than the one before. */
function guesses(values: readonly number[], name: 'rate' | 'ceiling'): Guess[] {
  const { share, middle } = first[name];
  return values.map((value) => {
    const prior = (share / values.length) * (value / middle) ** first.slope;
    return fresh({ rate: Infinity, ceiling: Infinity, [name]: value, prior });
  });
}

function fresh(limit: Pick<Guess, 'rate' | 'ceiling' | 'prior'>): Guess {
  const saved = limit.rate < Infinity ? Math.max(1, limit.rate) : Infinity;
  return { ...limit, fit: 1, noiseCalls: noise.calls, noiseRefused: noise.refused, saved };
}

function steps(from: number, to: number): number[] {
  const count = Math.ceil(Math.log(to / from) / Math.log(step));
  return Array.from({ length: count }, (_, index) => from * step ** index);
}

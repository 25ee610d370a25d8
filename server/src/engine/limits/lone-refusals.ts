/** The last calls of a batch. */
interface Run {
  /** When its last call was accepted. */
  acceptedAt: number;
  /** How many calls of all were accepted before its refusals in a row. Null: it has none. */
  acceptedBefore: number | null;
  /** Refused in a row, since a call of another batch was accepted. */
  refused: number;
  /** Where the counts of all calls were then. */
  since: { calls: number; allRefused: number } | null;
}

/** Refusals in a row. By chance, others are then accepted this often once in `e ** weight` runs. */
const likely = { inRow: 7, weight: 6 };
const sure = { inRow: 20, weight: 10 };
/** A batch with answers since then has reached a limit, such as that of its model. */
const recentMilliseconds = 60_000;
/** Those of batches that ended are forgotten, the oldest first. */
const mostRuns = 1_000;

/**
 * Finds batches whose rows the provider refuses while it accepts those of others, for example
 * prompts with more tokens than the key has in a minute. Such refusals show no limit for others.
 */
export class LoneRefusals {
  readonly #runs = new Map<string, Run>();
  #calls = 0;
  #refused = 0;

  /** Counts a call, in the order of sending. Returns whether its batch alone is refused. */
  note(batch: string, isRefused: boolean, sentAt: number): 'no' | 'likely' | 'sure' {
    const before = { calls: this.#calls++, allRefused: this.#refused };
    const run = this.#runOf(batch);
    if (!isRefused) {
      Object.assign(run, { acceptedAt: sentAt, acceptedBefore: null, refused: 0, since: null });
      return 'no';
    }
    this.#refused++;
    const accepted = before.calls - before.allRefused;
    run.acceptedBefore ??= accepted;
    // Before, the provider may have refused everybody.
    if (accepted > run.acceptedBefore) run.since ??= before;
    if (!run.since) return 'no';
    run.refused++;
    const { calls, allRefused } = run.since;
    const refusedShare = (this.#refused - allRefused) / (this.#calls - calls);
    const weight = -run.refused * Math.log(refusedShare);
    const is = ({ inRow, weight: least }: typeof sure) => run.refused >= inRow && weight >= least;
    if (is(sure) && sentAt >= run.acceptedAt + recentMilliseconds) return 'sure';
    return is(likely) ? 'likely' : 'no';
  }

  #runOf(batch: string): Run {
    const known = this.#runs.get(batch);
    if (known) return known;
    const [oldest = ''] = this.#runs.keys();
    if (this.#runs.size >= mostRuns) this.#runs.delete(oldest);
    const run = { acceptedAt: -Infinity, acceptedBefore: null, refused: 0, since: null };
    this.#runs.set(batch, run);
    return run;
  }
}

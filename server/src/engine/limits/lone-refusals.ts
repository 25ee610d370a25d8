/** The refusals of a batch in a row, while calls of other batches are accepted. */
interface Run {
  /** Calls of others that were accepted before it. */
  acceptedBefore: number;
  refused: number;
  /** Where the counts were when the first call of another batch was accepted. */
  since: { calls: number; allRefused: number } | null;
}

/** Refusals in a row. By chance, others are then accepted this often once in `e ** weight` runs. */
const likely = { inRow: 7, weight: 4 };
const sure = { inRow: 20, weight: 10 };
/** Runs of batches that ended are forgotten, the oldest first. */
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
  note(batch: string, isRefused: boolean): 'no' | 'likely' | 'sure' {
    const before = { calls: this.#calls++, allRefused: this.#refused };
    if (!isRefused) {
      this.#runs.delete(batch);
      return 'no';
    }
    this.#refused++;
    const accepted = before.calls - before.allRefused;
    const run = this.#runs.get(batch) ?? { acceptedBefore: accepted, refused: 0, since: null };
    this.#runs.set(batch, run);
    const [oldest = ''] = this.#runs.keys();
    if (this.#runs.size > mostRuns) this.#runs.delete(oldest);
    // Before, the provider may have refused everybody.
    if (accepted > run.acceptedBefore) run.since ??= before;
    if (!run.since) return 'no';
    run.refused++;
    const { calls, allRefused } = run.since;
    const refusedShare = (this.#refused - allRefused) / (this.#calls - calls);
    const weight = -run.refused * Math.log(refusedShare);
    const is = ({ inRow, weight: least }: typeof sure) => run.refused >= inRow && weight >= least;
    return is(sure) ? 'sure' : is(likely) ? 'likely' : 'no';
  }
}

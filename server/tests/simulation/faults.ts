/** The process dies here: what its transaction has done is undone. */
export class SimulatedCrash extends Error {}

/** Lets one of the next calls that use cases make to the app outside of the database fail. */
export class Faults {
  #left = Number.POSITIVE_INFINITY;
  onCrash = () => {};

  arm(calls: number): void {
    this.#left = calls;
  }

  disarm(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }

  pass(): void {
    if (this.#left-- > 0) return;
    this.onCrash();
    throw new SimulatedCrash('The process died.');
  }
}

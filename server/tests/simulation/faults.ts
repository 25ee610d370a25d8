/** The process dies here, so its transaction is rolled back. */
export class SimulatedCrash extends Error {}

/** Makes one of the next calls outside the database crash. */
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

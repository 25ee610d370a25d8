/** A check takes milliseconds of CPU, so a long wait checks less and less often. */
const pauses = { first: 5, growth: 1.3, longest: 100 };

/** Waits for a condition, never for a time. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  for (let pause = pauses.first; !(await condition()); ) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * pauses.growth, pauses.longest);
  }
}

const busyPauses = { first: 50, growth: 1.5, longest: 1_000 };

/**
 * Many requests at once get `503` from PostgreSQL's connection pool, or `429` beyond a fair share,
 * and are meant to be repeated: less and less often, or hundreds of them would keep a slow machine
 * busy with refusals.
 */
export async function retryWhileBusy<T extends { status: number }>(
  send: () => Promise<T>,
  busy: readonly number[] = [503],
): Promise<T> {
  for (let pause = busyPauses.first; ; ) {
    const answer = await send();
    if (!busy.includes(answer.status)) return answer;
    const wait = pause * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, wait));
    pause = Math.min(pause * busyPauses.growth, busyPauses.longest);
  }
}

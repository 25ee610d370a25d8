/** Waits for a condition, never for a time. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Many requests at once get `503` from PostgreSQL's connection pool, or `429` beyond a fair share, and are meant to be repeated. */
export async function retryWhileBusy<T extends { status: number }>(
  send: () => Promise<T>,
  busy: readonly number[] = [503],
): Promise<T> {
  for (;;) {
    const answer = await send();
    if (!busy.includes(answer.status)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

let opened = new AsyncDisposableStack();

/**
 * Closes something after the running file of tests, the last opened first. `afterAll` has no effect
 * once the tests run.
 */
export function closeAtEnd(close: () => unknown): void {
  opened.defer(async () => void (await close()));
}

export async function closeOpened(): Promise<void> {
  const closing = opened;
  opened = new AsyncDisposableStack();
  await closing.disposeAsync();
}

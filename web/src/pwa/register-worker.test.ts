import { expect, it, vi } from 'vitest';
import { registerWhenIdle } from './register-worker.ts';

it('registers nothing in development', () => {
  const waiting = vi.spyOn(globalThis, 'setTimeout');
  registerWhenIdle(() => false, { onReady: () => {}, onFailed: () => {} });
  expect(import.meta.env.DEV).toBe(true);
  expect(waiting).not.toHaveBeenCalled();
});

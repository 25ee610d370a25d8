import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shownToasts, showToast, toastMilliseconds } from './toasts.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});
const messages = () => shownToasts().map(({ message }) => message);

it('shows a toast for three seconds', () => {
  expect(toastMilliseconds).toBe(3000);
  showToast('error', 'No.');
  vi.advanceTimersByTime(2999);
  expect(messages()).toEqual(['No.']);
  vi.advanceTimersByTime(1);
  expect(messages()).toEqual([]);
});

it('shows a repeated message once, for three seconds from the repetition on', () => {
  showToast('error', 'No.');
  showToast('success', 'Yes.');
  vi.advanceTimersByTime(2000);
  showToast('error', 'No.');
  expect(messages()).toEqual(['Yes.', 'No.']);
  vi.advanceTimersByTime(2999);
  expect(messages()).toEqual(['No.']);
  vi.advanceTimersByTime(1);
  expect(messages()).toEqual([]);
});

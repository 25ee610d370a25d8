import { describe, expect, it } from 'vitest';
import { rowsPerMinute } from './rate-window.ts';

const start = new Date('2026-01-01T12:00:00Z');
const later = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
const running = {
  state: 'running' as const,
  answered: 90,
  failed: 6,
  skipped: 4,
  rate_window_start: start,
  rate_window_rows: 40,
  previous_window_start: null,
  previous_window_rows: 0,
};

describe('rows per minute', () => {
  it.each([
    ['counts from the start of the window', running, 30, 120],
    [
      'counts from the previous window, if there is one',
      { ...running, rate_window_start: later(20), previous_window_start: start },
      30,
      200,
    ],
    ['are unknown in the first second', running, 0.9, null],
    ['are unknown without a window', { ...running, rate_window_start: null }, 30, null],
    ['are unknown while the batch is paused', { ...running, state: 'paused' as const }, 30, null],
  ])('%s', (_name, batch, seconds, rate) => {
    expect(rowsPerMinute(batch, later(seconds))).toBe(rate);
  });
});

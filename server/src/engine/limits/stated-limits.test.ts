import { describe, expect, it } from 'vitest';
import { StatedLimits } from './stated-limits.ts';

const tokensOf = (output: number) => ({ input: 0, cached: 0, output, reasoning: 0 });

describe('known tokens per minute', () => {
  it('make the rate from the average size of calls', () => {
    const limits = new StatedLimits({ requests: null, tokens: 6_000 });
    expect(limits.rate(0)).toBe(Infinity);
    limits.note({ tokens: tokensOf(10) }, 0);
    expect(limits.rate(0)).toBeCloseTo(10);
  });

  it('allow as many calls soon after one odd count, even if it is the first', () => {
    const limits = new StatedLimits({ requests: null, tokens: 6_000 });
    const note = (output: number) => limits.note({ tokens: tokensOf(output) }, 0);
    note(20_000_000);
    expect(limits.rate(0), 'a call a minute at least').toBeCloseTo(1 / 60);
    for (let call = 0; call < 10; call++) note(10);
    expect(limits.rate(0)).toBeGreaterThan(3);
    note(20_000_000);
    for (let call = 0; call < 40; call++) note(10);
    expect(limits.rate(0)).toBeCloseTo(10);
  });

  it('count large calls in full', () => {
    const limits = new StatedLimits({ requests: null, tokens: 6_000 });
    for (let call = 0; call < 40; call++)
      limits.note({ tokens: tokensOf(call % 10 ? 10 : 190) }, 0);
    expect(limits.rate(0)).toBeCloseTo(100 / 28);
  });
});

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

  it('allow nearly as many calls after one odd count', () => {
    const limits = new StatedLimits({ requests: null, tokens: 6_000 });
    limits.note({ tokens: tokensOf(10) }, 0);
    limits.note({ tokens: tokensOf(20_000_000) }, 0);
    expect(limits.rate(0)).toBeGreaterThan(8);
  });

  it('allow a call a minute when the first count is odd', () => {
    const limits = new StatedLimits({ requests: null, tokens: 6_000 });
    limits.note({ tokens: tokensOf(20_000_000) }, 0);
    expect(limits.rate(0)).toBeCloseTo(1 / 60);
  });
});

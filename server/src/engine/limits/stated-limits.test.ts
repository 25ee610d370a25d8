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

describe('stated limits of tokens', () => {
  const call = { input: 100, cached: 90, output: 2, reasoning: 0 };
  const nothingLeft = { limit: 600, remaining: 0, resetMilliseconds: 60_000 };

  it.each([
    ['all tokens', 'tokens', 102],
    ['input that is not read from a cache', 'input_tokens', 10],
    ['output', 'output_tokens', 2],
  ] as const)('count %s', (_what, of, size) => {
    const limits = new StatedLimits();
    limits.note({ tokens: call, limits: [{ of, ...nothingLeft }] }, 0);
    // Ten tokens a second are refilled, of which 80% are used with nothing left.
    expect(limits.rate(0)).toBeCloseTo(8 / size);
    expect(limits.rate(60_000)).toBe(Infinity);
  });

  it('make the rate by the narrowest', () => {
    const limits = new StatedLimits();
    const wide = {
      of: 'tokens',
      limit: 10_000,
      remaining: 9_000,
      resetMilliseconds: 6_000,
    } as const;
    limits.note({ tokens: call, limits: [wide, { of: 'output_tokens', ...nothingLeft }] }, 0);
    expect(limits.rate(0)).toBeCloseTo(4);
  });
});

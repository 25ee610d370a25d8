import { describe, expect, it } from 'vitest';
import { LoneRefusals } from './lone-refusals.ts';

/**
 * Counts calls in turn, one each 100 ms: `a!` is a refused call of batch a, and a number lets so
 * many seconds pass. Returns the last finding.
 */
function find(...calls: string[]): string {
  const refusals = new LoneRefusals();
  let found = '';
  let now = 0;
  for (const call of calls) {
    const seconds = Number(call);
    now += seconds ? 1_000 * seconds : 100;
    if (!seconds) found = refusals.note(call.charAt(0), call.endsWith('!'), now);
  }
  return found;
}
const times = (count: number, ...calls: string[]) =>
  Array.from({ length: count }, () => calls).flat();

describe('refusals of one batch', () => {
  it.each<[string, string, string[]]>([
    ['tell nothing without other batches', 'no', times(500, 'a!')],
    ['tell nothing until others are accepted', 'no', ['b', ...times(500, 'a!')]],
    ['tell nothing when all are refused', 'no', times(500, 'a!', 'b!')],
    ['are likely its own after ten', 'likely', ['a!', ...times(10, 'b', 'a!')]],
    ['are surely its own after twenty', 'sure', ['a!', ...times(20, 'b', 'a!')]],
    [
      'are surely its own after a long time alone',
      'sure',
      times(20, 'a!').concat(times(20, 'b', 'a!')),
    ],
    [
      'show a limit of its model while it had answers in the last minute',
      'likely',
      ['a', 'a!', ...times(50, 'b', 'a!')],
    ],
    [
      'are surely its own a minute after its last answer',
      'sure',
      ['a', '60', 'a!', ...times(20, 'b', 'a!')],
    ],
    ['tell nothing when one is accepted between them', 'no', [...times(20, 'b', 'a!'), 'a', 'a!']],
    ['tell less when others are refused too', 'no', times(20, 'b', 'a!', ...times(9, 'b!'))],
  ])('%s', (_name, found, calls) => {
    expect(find(...calls)).toBe(found);
  });

  it('are hardly ever found by chance', () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (const [share, most] of [
      [0.05, 0],
      [0.2, 0],
      [0.5, 1],
      [0.8, 5],
    ] as const) {
      const refusals = new LoneRefusals();
      let found = 0;
      for (let call = 0; call < 200_000; call++)
        if (refusals.note(`${call % 3}`, random() < share, 1e9 * call) === 'sure') found++;
      expect(found, `${share}`).toBeLessThanOrEqual(most);
    }
  });
});

import { expect, it } from 'vitest';
import { minute, second } from '../../lib/clock.ts';
import { CooldownProbes, type WaitingLane } from './cooldown-probes.ts';

const lane = (name: string): WaitingLane => ({ key: `key of ${name}`, name, model: name });

/** Checks every half minute. Returns in which minutes each model was probed. */
async function probesOf(
  minutes: number,
  { lanes, isOver }: { lanes(at: number): WaitingLane[]; isOver(at: number): boolean },
) {
  let now = 0;
  const probed: Record<string, number[]> = {};
  const ended: string[] = [];
  const probes = new CooldownProbes({
    now: () => now,
    probe: async (model) => {
      probed[model] = [...(probed[model] ?? []), now / minute];
      return isOver(now / minute);
    },
    end: async (key) => void ended.push(key),
  });
  for (; now <= minutes * minute; now += 30 * second) {
    const waiting = lanes(now / minute).filter(({ key }) => !ended.includes(key));
    await probes.check(waiting);
  }
  return { probed, ended };
}

it('tests a long cooldown every few minutes, more and more seldom', async () => {
  const lanes = () => [lane('one')];
  const { probed, ended } = await probesOf(70, { lanes, isOver: () => false });
  expect(probed).toEqual({ one: [5, 15, 30, 45, 60] });
  expect(ended).toEqual([]);
});

it('ends it with the first answer', async () => {
  const lanes = () => [lane('one'), lane('two')];
  const { probed, ended } = await probesOf(70, { lanes, isOver: (at) => at >= 20 });
  expect(probed).toEqual({ one: [5, 15, 30], two: [5, 15, 30] });
  expect(ended).toEqual(['key of one', 'key of two']);
});

it('sends no call for a cooldown of less than five minutes', async () => {
  const lanes = (at: number) => (at % 5 < 4.5 ? [lane('one')] : []);
  const { probed } = await probesOf(70, { lanes, isOver: () => true });
  expect(probed).toEqual({});
});

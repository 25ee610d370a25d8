import type { Problems } from './problems.ts';

export const faultPoints = [
  'reading-slice',
  'after-lease',
  'before-call',
  'after-reply',
  'during-flush',
  'before-commit',
  'after-commit',
] as const;
export type FaultPoint = (typeof faultPoints)[number];

/** Kills the process when a point is passed for the nth time, or with a row that has this text. */
export type FaultPointConfig = { point: FaultPoint } & ({ times: number } | { poison: string });

/** Kills whenever such a row is sent, or read. */
const poisonedPoints: Record<string, FaultPoint | undefined> = {
  poison: 'before-call',
  unreadable: 'reading-slice',
};

export function faultPointConfig(value: string, problems: Problems): FaultPointConfig | null {
  if (value === '') return null;
  const at = value.indexOf(':');
  const [name, rest] = at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)];
  const poisoned = poisonedPoints[name];
  if (poisoned && rest !== '') return { point: poisoned, poison: rest };
  const point = faultPoints.find((known) => known === name);
  if (point)
    return { point, times: problems.wholeNumber('FAULT_POINT', rest || '1', 1, 1_000_000) };
  problems.add(
    `FAULT_POINT is "${value}", but must be one of ${faultPoints.join(', ')}, with :number, or poison:text, or unreadable:text.`,
  );
  return null;
}

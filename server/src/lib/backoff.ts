/** Full jitter: anything between a floor and a bound that doubles, so that those who failed together do not come back together. */
export function fullJitter(
  attempt: number,
  {
    floor,
    ceiling,
    random = Math.random,
  }: { floor: number; ceiling: number; random?: () => number },
): number {
  const bound = Math.min(ceiling, floor * 2 ** attempt);
  return Math.round(floor + random() * (bound - floor));
}

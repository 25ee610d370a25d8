/** Full jitter below a bound that doubles, so that failed calls do not retry together. */
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

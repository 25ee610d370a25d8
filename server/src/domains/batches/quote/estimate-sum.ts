/** One row says nothing about the spread of the others. */
const spreadOfOneRow = 0.5;
/** Few rows that happen to be equal do not make an estimate exact. */
const leastSpread = 0.1;

/** What the open rows may take in all, by the rows that were tried. Null: there are none. */
export function estimateSum(tried: readonly number[], openRows: number) {
  if (tried.length === 0) return null;
  const mean = tried.reduce((sum, one) => sum + one, 0) / tried.length;
  const square = tried.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const error = Math.sqrt(square / Math.max(1, tried.length - 1) / tried.length);
  const spread =
    tried.length === 1 ? spreadOfOneRow * mean : Math.max(2 * error, leastSpread * mean);
  return {
    low: Math.round(Math.max(0, mean - spread) * openRows),
    expected: Math.round(mean * openRows),
    high: Math.round((mean + spread) * openRows),
  };
}
